import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { installDependencies } from './installDependencies.mjs'
import { root } from './root.mjs'

const folder = join(root, 'bench/bundlers')

/**
 * @typedef {{ path: string, contents: Uint8Array }} OutputFile
 * @typedef {{ entryPoint?: string, imports: { path: string, kind: string, external?: boolean }[] }} Output
 * @typedef {{ outputFiles: OutputFile[], metafile: { outputs: Record<string, Output> } }} Bundled
 */

/**
 * Compressed size in bytes of an entry and the chunks that it cannot start without, as esbuild splits them. The chunks
 * are compressed together, as those of the other bundler are.
 *
 * @param {string} text of the entry
 * @param {string} [from] folder that its imports are found from
 */
export async function weighWithEsbuild(text, from = root) {
  await installDependencies(folder)
  const esbuild = createRequire(join(folder, 'package.json'))('esbuild')
  /** @type {Bundled} */
  const { outputFiles, metafile } = await esbuild.build({
    stdin: { contents: text, resolveDir: from, sourcefile: 'entry.js' },
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    external: ['react', 'react-dom', 'react/*', 'react-dom/*'],
    outdir: join(folder, 'out'),
    absWorkingDir: folder,
    write: false,
    metafile: true,
    logLevel: 'error',
  })
  const { outputs } = metafile
  const files = new Map(outputFiles.map(({ path, contents }) => [path.replaceAll('\\', '/'), contents]))
  const needed = new Set(Object.keys(outputs).filter((path) => path.endsWith('stdin.js')))
  // A set that grows while it is walked: imports of imports follow.
  for (const path of needed) {
    for (const { path: next, kind, external } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && !external) needed.add(next)
    }
  }
  const parts = [...needed].map((path) => files.get(join(folder, path).replaceAll('\\', '/')) ?? new Uint8Array())
  return gzipSync(Buffer.concat(parts), { level: 9 }).length
}
