import { readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compileFunction, constants } from 'node:vm'
import type { Jiti } from 'jiti'

type Module = { exports: unknown; filename: string; id: string; loaded: boolean }
type Run = (...values: unknown[]) => unknown

const parameters = ['exports', 'require', 'module', '__filename', '__dirname', 'jitiImport', 'jitiESMResolve']

/** Names under which code asks for the client: it gets the one that is connected with this server. */
const clients = /^(parse|moralis|moralis-v1)(\/node(\.js)?)?$/

/**
 * Runs files as CommonJS modules in which `globals` are known, so that two servers in one process do not share them.
 * TypeScript and `import` are translated first. Each file runs once, however many others ask for it.
 */
export function createModules(jiti: Jiti, globals: { [name: string]: unknown }): (path: string) => unknown {
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

function translate(jiti: Jiti, path: string): string {
  const source = readFileSync(path, 'utf8').replace(/^#!.*/, '')
  const isTypeScript = /\.[cm]?ts$/.test(path)
  const isModule = /\.mjs$/.test(path) || /^\s*(import\s*[\w*{"']|export\s+[\w*{])/m.test(source)
  return isTypeScript || isModule ? jiti.transform({ source, filename: path, ts: isTypeScript }) : source
}
