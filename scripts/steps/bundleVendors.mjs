import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'

const server = join(root, 'packages/server')
const dist = join(server, 'dist')

/**
 * Puts what the server uses of two large packages into its own files. viem is sixty megabytes of which the server calls
 * a few functions; parse brings 25 megabytes and an install script. They are no dependencies of the published package.
 */
export async function bundleVendors() {
  const evm = join(dist, 'chain/evm.js')
  // Read from the sources: evm.js itself may be bundled already.
  const found = [
    ...(await bundle(join(server, 'src/chain/evm.ts'), evm, 'esm')),
    ...(await bundle('parse/node', join(dist, 'functions/parse/parse.cjs'), 'cjs')),
  ]
  rmSync(`${evm}.map`, { force: true })
  writeFileSync(join(dist, 'third-party-licenses.txt'), listLicenses(found))
}

/**
 * @param {string} input
 * @param {string} file
 * @param {'esm' | 'cjs'} format
 * @returns {Promise<string[]>} the files that are in it
 */
async function bundle(input, file, format) {
  // Loaded here: in a fresh clone this file is read before the dependencies are there.
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    input: { entry: input },
    cwd: server,
    platform: 'node',
    treeshake: true,
    external: [/^node:/],
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format, codeSplitting: false, minify: true, exports: 'named' })
  await build.close()
  writeFileSync(file, output[0].code)
  return output[0].moduleIds
}

/** @param {string[]} files */
function listLicenses(files) {
  const folders = new Set(files.flatMap((file) => file.match(/.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []))
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((entry) => /^licen[sc]e/i.test(entry))
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : ''
    return `${name} ${version} (${license})\n\n${text}`
  })
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
