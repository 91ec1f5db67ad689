import { extname } from 'node:path'

/** Imports what a file of the application exports by default, TypeScript among them. */
export async function importFile(path: string): Promise<unknown> {
  // Loaded on use: most servers run without such a file, and the compiler is the heaviest import we have.
  const { createJiti } = await import('jiti')
  const virtualModules = { countersign: await importOwnPackage() }
  return createJiti(import.meta.url, { interopDefault: true, virtualModules }).import(path, { default: true })
}

/** Names that engine, compiler and promises look for in any module. */
const lookedFor = ['default', 'then', '__esModule', 'module.exports']

/**
 * Gives files that import `countersign` this very server's exports: with `npx` no package is beside them. The compiler
 * turns imports into reads of properties, so a name that is not exported would be undefined until it is called.
 */
export async function importOwnPackage(): Promise<object> {
  const place = new URL(`../index${extname(import.meta.url)}`, import.meta.url)
  const own: object = await import(/* @vite-ignore */ place.href)
  return new Proxy(own, {
    get(target, name) {
      if (typeof name === 'string' && !(name in target) && !lookedFor.includes(name)) {
        throw new Error(`countersign does not export ${name}. It exports ${Object.keys(target).join(', ')}.`)
      }
      return Reflect.get(target, name)
    },
  })
}
