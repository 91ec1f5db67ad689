import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { serverLayers } from '../importRules.mjs'
import { root } from './root.mjs'

const server = join(root, 'packages/server')
const dist = join(server, 'dist')
const bundleFolder = join(dist, 'bundle')

/** Programs that the server starts, in files of their own: they load little, and need no installed packages. */
const processesFolder = join(dist, 'processes')
export const bundles = [bundleFolder, processesFolder]

/** Dependencies only for their types: their code is in the bundle. */
const ofTypes = ['@countersign/protocol', 'zod']

/** Packages that dependencies use if they are installed: in this repository they are by chance. */
const ifInstalled = ['supports-color']

/** Code that finds files by its own place, and the place that it gets. */
const movedPlaces = new Map([
  // Imports the package's own exports, which must be those of the bundle: errors are compared by their class.
  ['config/importFile.js', (/** @type {string} */ folder) => join(folder, 'config/importFile.js')],
  ['functions/isolated/startProcess.js', () => join(processesFolder, 'startProcess.js')],
  ['console/sql/runOnCopy.js', () => join(processesFolder, 'runOnCopy.js')],
])

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
 * Makes of the compiled server what is published: the program in few files with nearly all packages, since each file that
 * a start loads takes half a millisecond, and each package lengthens an installation.
 */
export async function bundleServer() {
  const found = [
    ...(await bundleVendors()),
    ...(await bundleProgram(
      bundleFolder,
      {
        main: join(dist, 'cli/main.js'),
        index: join(dist, 'index.js'),
        // Named as entries so that all they load counts as part of the start.
        runStart: join(dist, 'cli/runStart.js'),
        startServer: join(dist, 'http/startServer.js'),
      },
      groups.map((group, place) => ({ ...group, priority: groups.length - place })),
    )),
    ...(await bundleProgram(processesFolder, {
      main: join(dist, 'functions/isolated/main.js'),
      copyProcess: join(dist, 'console/sql/copyProcess.js'),
      index: join(dist, 'index.js'),
    })),
  ]
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
 * Programs and the packages that they load. What a start loads is one file for each room, so that a stack says where it
 * comes from; nothing is minified.
 *
 * @param {string} folder
 * @param {Record<string, string>} input
 * @param {import('rolldown').CodeSplittingGroup[]} [groups]
 * @returns {Promise<string[]>} the files that are in it
 */
async function bundleProgram(folder, input, groups) {
  const { rolldown } = await import('rolldown')
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'))
  const installed = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !ofTypes.includes(name))
  const outside = [...installed, ...ifInstalled]
  const build = await rolldown({
    input,
    cwd: server,
    platform: 'node',
    external: [/^node:/, ...outside.map((name) => new RegExp(`^${name}(/|$)`))],
    plugins: [{ name: 'places', transform: (code, file) => keepPlace(code, file, folder) }],
    logLevel: 'silent',
  })
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    chunkFileNames: '[name].js',
    ...(groups && { codeSplitting: { groups } }),
  })
  await build.close()
  // Not before: a server that runs loads more of them.
  const written = output.map(({ fileName }) => fileName)
  for (const name of readdirSync(folder)) if (!written.includes(name)) rmSync(join(folder, name))
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}

/**
 * Code that reads files beside its own goes on to find them: they stay where the compiler put them.
 *
 * @param {string} code
 * @param {string} file
 * @param {string} folder of the bundle
 */
function keepPlace(code, file, folder) {
  if (!file.startsWith(dist) || !code.includes('import.meta.url')) return null
  const name = relative(dist, file).replaceAll(sep, '/')
  const place = movedPlaces.get(name)?.(folder) ?? file
  const path = relative(folder, place).replaceAll(sep, '/')
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
