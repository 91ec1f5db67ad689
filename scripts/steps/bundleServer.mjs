import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { serverLayers } from '../importRules.mjs'
import { root } from './root.mjs'

const server = join(root, 'packages/server')
const dist = join(server, 'dist')
export const bundleFolder = join(dist, 'bundle')

/** Packages that every start loads. The others stay files of their own, loaded with their first use. */
const ofEveryStart = [
  '@bitauth/libauth',
  '@countersign/protocol',
  '@fastify/busboy',
  '@fastify/proxy-addr',
  'croner',
  'fastify',
  'find-my-way',
  'hash-wasm',
  'light-my-request',
  'pg',
  'pino',
  'ws',
  'zod',
]

/** Imports the package's own exports by their place, which must be the bundle's: errors are compared by their class. */
const importsExports = join(dist, 'config/importFile.js')

/** @type {import('rolldown').CodeSplittingGroup[]} the files of the bundle; what an earlier one has, a later one imports */
const groups = [
  // Code for help and for wrong arguments.
  { name: 'arguments', test: /dist[\\/](cli[\\/]readArguments|version)\.js$/ },
  // Code for importers of the package.
  { name: 'exports', test: /server[\\/]dist[\\/]index\.js$/ },
  // Code until the database is opened.
  { name: 'start', test: /dist[\\/]cli[\\/]runStart\.js$/ },
  { name: 'packages', test: /node_modules|packages[\\/]protocol/, tags: ['$initial'] },
  // The command runs when it is loaded, so its file may contain nothing that others import.
  ...serverLayers
    .filter((layer) => layer !== 'cli')
    .map((layer) => ({
      name: layer,
      test: new RegExp(`dist[\\\\/]${layer}[\\\\/]`),
      tags: [/** @type {const} */ ('$initial')],
    })),
]

/**
 * Makes of the compiled server what is published: of two large packages what it uses, and the program in few files,
 * since each file that a start loads takes half a millisecond.
 */
export async function bundleServer() {
  const found = [...(await bundleVendors()), ...(await bundleProgram())]
  writeFileSync(join(dist, 'third-party-licenses.txt'), listLicenses(found))
}

/**
 * viem is sixty megabytes of which the server calls a few functions; parse brings 25 megabytes and an install script.
 * They are no dependencies of the published package.
 */
async function bundleVendors() {
  const evm = join(dist, 'chain/evm.js')
  // Read from the sources: evm.js itself may be bundled already.
  const found = [
    ...(await bundle(join(server, 'src/chain/evm.ts'), evm, 'esm')),
    ...(await bundle('parse/node', join(dist, 'functions/parse/parse.cjs'), 'cjs')),
  ]
  rmSync(`${evm}.map`, { force: true })
  return found
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

/**
 * The command and what the package exports, into `dist/bundle`. What a start loads is one file for each room, so that a
 * stack says where it comes from; nothing is minified.
 *
 * @returns {Promise<string[]>} the files that are in it
 */
async function bundleProgram() {
  const { rolldown } = await import('rolldown')
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'))
  const outside = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !ofEveryStart.includes(name))
  const build = await rolldown({
    input: {
      main: join(dist, 'cli/main.js'),
      index: join(dist, 'index.js'),
      // Named as entries so that all they load counts as part of the start.
      runStart: join(dist, 'cli/runStart.js'),
      startServer: join(dist, 'http/startServer.js'),
    },
    cwd: server,
    platform: 'node',
    external: [/^node:/, ...outside.map((name) => new RegExp(`^${name}(/|$)`))],
    plugins: [{ name: 'places', transform: keepPlace }],
    logLevel: 'silent',
  })
  const { output } = await build.write({
    dir: bundleFolder,
    format: 'esm',
    chunkFileNames: '[name].js',
    codeSplitting: { groups: groups.map((group, place) => ({ ...group, priority: groups.length - place })) },
  })
  await build.close()
  // Not before: a server that runs loads more of them.
  const written = output.map(({ fileName }) => fileName)
  for (const name of readdirSync(bundleFolder)) if (!written.includes(name)) rmSync(join(bundleFolder, name))
  const found = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  if (!found.includes(importsExports))
    throw new Error(`There is no ${importsExports} any more: name what took its place.`)
  return found
}

/**
 * Code that reads files beside its own goes on to find them: they stay where the compiler put them.
 *
 * @param {string} code
 * @param {string} file
 */
function keepPlace(code, file) {
  if (!file.startsWith(dist) || !code.includes('import.meta.url')) return null
  const place = file === importsExports ? join(bundleFolder, relative(dist, file)) : file
  const path = relative(bundleFolder, place).replaceAll(sep, '/')
  return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(path)}, import.meta.url).href`)
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
