import type { ParseObject } from './ParseSdk.ts'

/** What every function, job and hook of the older form receives. */
export type CloudRequest = {
  [name: string]: unknown
  master: boolean
  user: ParseObject | undefined
  params?: { [name: string]: unknown }
  object?: ParseObject
  original?: ParseObject | undefined
}
