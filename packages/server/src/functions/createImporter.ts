import * as protocol from '@countersign/protocol'
import type { Jiti } from 'jiti'
import * as zod from 'zod'
import { defineSchema } from '../classes/schema/defineSchema.ts'
import { defineConfig } from '../config/defineConfig.ts'
import { defineFunction } from './defineFunction.ts'
import { defineHook } from './defineHook.ts'
import { defineJob } from './defineJob.ts'

/** What files of the application get when they import `countersign`: this very server's, wherever they lie. */
export const ownPackage = {
  CountersignError: protocol.CountersignError,
  defineConfig,
  defineFunction,
  defineHook,
  defineJob,
  defineSchema,
  z: zod.z,
}

export type Exports = { [name: string]: unknown }

/** Imports files of the application, TypeScript among them; each importer reads them anew. */
export function createImporter(): (path: string) => Promise<Exports> {
  let jiti: Promise<Jiti> | undefined
  return async (path) => {
    jiti ??= createJiti()
    return (await jiti).import<Exports>(path)
  }
}

async function createJiti(): Promise<Jiti> {
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url, {
    interopDefault: false,
    // Kept by content, and not where an application might not be allowed to write.
    fsCache: false,
    virtualModules: { countersign: ownPackage, zod },
  })
  for (const path of Object.keys(jiti.cache)) if (!path.includes('node_modules')) delete jiti.cache[path]
  return jiti
}
