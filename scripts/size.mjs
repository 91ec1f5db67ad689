// Bundles what a dapp would bundle and holds it, and the web application's first load, to .size-limit.mjs.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { root } from './steps/root.mjs'
import { runAloud } from './steps/runAloud.mjs'

const output = join(root, 'node_modules/.cache/countersign/size')

rmSync(output, { recursive: true, force: true })
for (const name of ['core', 'index']) {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    build: {
      outDir: output,
      emptyOutDir: false,
      target: 'es2022',
      // Vite keeps the white space of an ES library; the apps that install it do not.
      minify: false,
      lib: { entry: join(root, `packages/react/dist/${name}.js`), formats: ['es'], fileName: () => `${name}.js` },
      rolldownOptions: {
        external: [/^react(-dom)?($|\/)/],
        // What loads later is not part of the entry's weight.
        output: { chunkFileNames: 'later/[name]-[hash].js', minify: true },
      },
    },
  })
}
process.exit(await runAloud(process.execPath, [join(root, 'node_modules/size-limit/bin.js')]))
