// Bundles what a dapp would bundle and holds it, and the web application's first load, to .size-limit.mjs.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { root } from './steps/root.mjs'
import { runAloud } from './steps/runAloud.mjs'

const output = join(root, 'node_modules/.cache/countersign/size')

rmSync(output, { recursive: true, force: true })
mkdirSync(output, { recursive: true })
// The sheet's budget is that of an app that uses everything beside it.
const everything = join(output, 'everything.entry.js')
const dist = join(root, 'packages/react/dist')
writeFileSync(everything, `export * from '${dist}/index.js'\nexport * from '${dist}/sheet.js'\n`)
const entries = { core: join(dist, 'core.js'), index: join(dist, 'index.js'), everything }
for (const [name, entry] of Object.entries(entries)) {
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
      lib: { entry, formats: ['es'], fileName: () => `${name}.js` },
      rolldownOptions: {
        external: [/^react(-dom)?($|\/)/],
        // What loads later is not part of the entry's weight.
        output: { chunkFileNames: 'later/[name]-[hash].js', minify: true },
      },
    },
  })
}
process.exit(await runAloud(process.execPath, [join(root, 'node_modules/size-limit/bin.js')]))
