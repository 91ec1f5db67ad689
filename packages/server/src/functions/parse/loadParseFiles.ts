import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { compileFunction, constants } from 'node:vm'
import { CountersignError } from '@countersign/protocol'
import type { Jiti } from 'jiti'
import type { Context } from '../../context/Context.ts'
import { createRegistry, type Registry } from '../../context/Registry.ts'
import { CloudError } from '../CloudError.ts'
import { createChainTools, createNodeClients } from './createChainTools.ts'
import { createCloud } from './createCloud.ts'
import { checkScope, type ParseSdk } from './ParseSdk.ts'

const parameters = ['exports', 'require', 'module', '__filename', '__dirname', 'jitiImport', 'jitiESMResolve']

/** Module names of the client in legacy code: they resolve to the one connected with this server. */
const clients = /^(parse|moralis|moralis-v1)(\/node(\.js)?)?$/

const require = createRequire(import.meta.url)

declare module '../../context/Context.ts' {
  interface Services {
    /** The client that files written for `Parse.Cloud` use. */
    parse?: ParseSdk
  }
}

/** Runs files that were written for `Parse.Cloud` or `Moralis.Cloud`, unchanged; what they define goes into the registry. */
export async function loadParseFiles(context: Context, registry: Registry, files: readonly string[]): Promise<void> {
  if (files.length === 0) return
  const { createJiti } = await import('jiti')
  const parse = connectParse(context)
  const found = createRegistry()
  const { cloud, Web3API, SolanaAPI } = createChainTools(context)
  parse.Cloud = { ...parse.Cloud, ...cloud, ...createCloud(context, parse, found) }
  Object.assign(parse, {
    Web3API,
    SolanaAPI,
    ...createNodeClients(context, createRequire(files[0] ?? import.meta.url)),
  })
  const load = createModules(createJiti(import.meta.url, { fsCache: false }), { Parse: parse, Moralis: parse })
  for (const file of files) {
    try {
      const exported = load(file)
      // `module.exports = (Parse) => { … }`, or the same as a default export.
      const start: unknown = typeof exported === 'function' ? exported : Reflect.get(Object(exported), 'default')
      if (typeof start === 'function') await start(parse)
    } catch (cause) {
      throw new CloudError(file, cause)
    }
  }
  for (const [name, item] of found.functions) registry.functions.set(name, item)
  for (const [name, item] of found.jobs) registry.jobs.set(name, item)
  for (const [key, hooks] of found.hooks) registry.hooks.set(key, [...(registry.hooks.get(key) ?? []), ...hooks])
}

/** The public client of this server's own code: what it sends is carried out in this process, without HTTP. */
function connectParse(context: Context): ParseSdk {
  const { keys, config, services } = context
  if (services.parse) return services.parse
  const parse = loadParse()
  const takeKeys = () => parse.initialize(keys.appId, keys.javascriptKey, keys.masterKey)
  takeKeys()
  // With a revoked key, code that needs the server's rights would silently get those of a guest.
  context.keyWatchers.add(takeKeys)
  parse.serverURL = `${context.publicUrl}${config.mount}`
  // Files go the way of everything else: as JSON.
  delete parse.CoreManager.getFileController().saveBinary
  parse.CoreManager.getRESTController().ajax = async (method, url, sent, headers = {}) => {
    refuseOverdue()
    const path = url.slice(parse.serverURL.replace(/\/+$/, '').length)
    const answer = await context.ask({ method, path, body: sent || identifyBy(headers) })
    // Thrown as it came: the client makes an error of its own of it.
    if ('error' in answer) throw answer.error
    return { status: answer.status, response: answer.output, headers: answer.headers }
  }
  services.parse = parse
  return parse
}

/** Identifies a client that sends no body by its headers. */
function identifyBy(headers: { [name: string]: string }): string {
  return JSON.stringify({
    _ApplicationId: headers['X-Parse-Application-ID'],
    _MasterKey: headers['X-Parse-Master-Key'],
    _SessionToken: headers['X-Parse-Session-Token'],
  })
}

function refuseOverdue(): void {
  try {
    checkScope()
  } catch (error) {
    const { code, message } =
      error instanceof CountersignError ? error : new CountersignError('Timeout', 'The time limit was exceeded.')
    throw { code, error: message }
  }
}

/**
 * The public client, loaded for this server alone: it keeps its settings in its modules, and another server or client
 * in the same process has its own.
 */
function loadParse(): ParseSdk {
  // The published package has the client in one file beside this one; in the repository it is a dependency.
  const bundled = fileURLToPath(new URL('parse.cjs', import.meta.url))
  const entry = existsSync(bundled) ? bundled : require.resolve('parse/node')
  const inside = (path: string) => path === entry || path.startsWith(join(dirname(entry), 'lib') + sep)
  const takeOut = () => {
    const taken = Object.entries(require.cache).filter(([path]) => inside(path))
    for (const [path] of taken) delete require.cache[path]
    return taken
  }
  const others = takeOut()
  try {
    return require(entry) as ParseSdk
  } finally {
    takeOut()
    for (const [path, module] of others) require.cache[path] = module
    // Node.js cannot import what was loaded and taken out: an import of the package in this process gives this one.
    if (entry !== bundled && others.length === 0) require(entry)
  }
}

type Module = { exports: unknown; filename: string; id: string; loaded: boolean }

type Run = (...values: unknown[]) => unknown

/**
 * Runs files as CommonJS modules in which `globals` are known, so that two servers in one process do not share them.
 * TypeScript and `import` are translated first. Each file runs once, however many others ask for it.
 */
function createModules(jiti: Jiti, globals: { [name: string]: unknown }): (path: string) => unknown {
  const modules = new Map<string, Module>()
  return load

  function load(path: string): unknown {
    const real = realpathSync(path)
    const known = modules.get(real)
    if (known) return known.exports
    const module: Module = { exports: {}, filename: real, id: real, loaded: false }
    modules.set(real, module)
    try {
      if (real.endsWith('.json')) module.exports = JSON.parse(readFileSync(real, 'utf8'))
      else run(real, module)
    } catch (error) {
      modules.delete(real)
      throw error
    }
    module.loaded = true
    return module.exports
  }

  function run(path: string, module: Module): void {
    const code = compileFunction(translate(jiti, path), [...parameters, ...Object.keys(globals)], {
      filename: path,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    }) as Run
    const require = createOwnRequire(path)
    const resolve = (id: string) => pathToFileURL(require.resolve(id)).href
    const own = [module.exports, require, module, path, dirname(path), async (id: string) => require(id), resolve]
    code.apply(module.exports, [...own, ...Object.values(globals)])
  }

  function createOwnRequire(path: string) {
    const native = createRequire(path)
    const resolve = (id: string) => {
      try {
        return native.resolve(id)
      } catch (error) {
        if (!id.startsWith('.')) throw error
        try {
          return native.resolve(`${id}.ts`)
        } catch {
          throw error
        }
      }
    }
    const require = (id: string): unknown => {
      if (clients.test(id)) return id.startsWith('parse') ? globals.Parse : globals.Moralis
      const found = resolve(id)
      const isOwn = found.startsWith(sep) || /^[A-Za-z]:/.test(found)
      return isOwn && !found.includes(`${sep}node_modules${sep}`) && /\.([cm]?[jt]s|json)$/.test(found)
        ? load(found)
        : native(id)
    }
    return Object.assign(require, { resolve, cache: {} })
  }
}

/** Features of the legacy service that are missing here, with the alternative. */
const missing: [pattern: RegExp, reason: string, library?: string][] = [
  [/\b(?:Parse|Moralis)\s*\.\s*(web3ByChain)\b/, 'install web3 next to the cloud code', 'web3'],
  [/\b(?:Parse|Moralis)\s*\.\s*(ethersByChain)\b/, 'install ethers beside the cloud code', 'ethers'],
  [/\b(?:Parse|Moralis)\s*\.\s*(Plugins)\b/, 'there are no plugins; call the service with Cloud.httpRequest'],
]

/** Better not to start than to fail when it is called. */
function refuseMissing(path: string, source: string): void {
  for (const [index, line] of source.split('\n').entries()) {
    if (/^\s*(\/\/|\*|\/\*)/.test(line)) continue
    for (const [pattern, reason, library] of missing) {
      const found = pattern.exec(line.replace(/\s\/\/.*$/, ''))
      if (found && !(library && isInstalled(library, path)))
        throw new Error(`${path}:${index + 1}: Moralis.${found[1]} is not supported: ${reason}.`)
    }
  }
}

function isInstalled(library: string, path: string): boolean {
  try {
    createRequire(path).resolve(library)
    return true
  } catch {
    return false
  }
}

function translate(jiti: Jiti, path: string): string {
  const source = readFileSync(path, 'utf8').replace(/^#!.*/, '')
  refuseMissing(path, source)
  const isTypeScript = /\.[cm]?ts$/.test(path)
  const isModule = /\.mjs$/.test(path) || /^\s*(import\s*[\w*{"']|export\s+[\w*{])/m.test(source)
  return isTypeScript || isModule ? jiti.transform({ source, filename: path, ts: isTypeScript }) : source
}

// `Parse.Cloud`, or `const { Cloud } = Parse`.
const mentionsClient = /\b(Parse|Moralis)\s*\.\s*[A-Z]|\}\s*=\s*(Parse|Moralis)\b/

const mentionsUs = /['"]countersign['"]/

/**
 * Sorts the files of the cloud folder into our own form and the legacy one. Legacy code starts at its `main` if there
 * is one; its other files are loaded by require.
 */
export async function sortFiles(files: readonly string[]): Promise<{ own: string[]; older: string[] }> {
  const read = await Promise.all(files.map(async (file) => ({ file, source: await readFile(file, 'utf8') })))
  const others = read.filter(({ source }) => !mentionsUs.test(source))
  const main = others.find(({ file }) => /^main\.[cm]?[jt]s$/.test(basename(file)))
  const isOlder =
    others.some(({ source }) => mentionsClient.test(source)) || (main && /\brequire\s*\(/.test(main.source))
  if (!isOlder) return { own: [...files], older: [] }
  const older = main ? [main.file] : others.map(({ file }) => file)
  return { own: read.filter(({ source }) => mentionsUs.test(source)).map(({ file }) => file), older }
}
