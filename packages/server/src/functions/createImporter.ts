import { extname } from 'node:path'
import type { Jiti } from 'jiti'
import * as zod from 'zod'

export type Exports = { [name: string]: unknown }

/** Imports files of the application, TypeScript among them; each importer reads them anew. */
export function createImporter(): (path: string) => Promise<Exports> {
  let jiti: Promise<Jiti> | undefined
  return async (path) => {
    jiti ??= openJiti()
    return (await jiti).import<Exports>(path)
  }
}

async function openJiti(): Promise<Jiti> {
  // Loaded on use: it is heavy, and many servers run without code of the application.
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url, {
    interopDefault: false,
    // A cache on disk lies where the server may not be allowed to write.
    fsCache: false,
    virtualModules: { countersign: await importOwnPackage(), zod },
  })
  for (const path of Object.keys(jiti.cache)) if (!path.includes('node_modules')) delete jiti.cache[path]
  return jiti
}

/** Files that import `countersign` get this very server's, wherever they lie. Its face stands above the rooms. */
function importOwnPackage(): Promise<object> {
  const place = new URL(`../index${extname(import.meta.url)}`, import.meta.url)
  return import(/* @vite-ignore */ place.href)
}
