import type { ParseObject } from './ParseSdk.ts'

/** Request of every legacy function, job and hook. */
export type CloudRequest = {
  [name: string]: unknown
  master: boolean
  user: ParseObject | undefined
  params?: { [name: string]: unknown }
  object?: ParseObject
  original?: ParseObject | undefined
}
