import { extname } from 'node:path'

/** Imports what a file of the application exports by default, TypeScript among them. */
export async function importFile(path: string): Promise<unknown> {
  // Loaded on use: most servers run without such a file, and the compiler is the heaviest import we have.
  const { createJiti } = await import('jiti')
  const virtualModules = { countersign: await importOwnPackage() }
  return createJiti(import.meta.url, { interopDefault: true, virtualModules }).import(path, { default: true })
}

/**
 * Files that import `countersign` get this very server's, wherever they lie: with `npx` there is none beside them. Its face
 * stands above the rooms.
 */
export function importOwnPackage(): Promise<object> {
  const place = new URL(`../index${extname(import.meta.url)}`, import.meta.url)
  return import(/* @vite-ignore */ place.href)
}
