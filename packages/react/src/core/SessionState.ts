import type { CountersignError } from '@countersign/protocol'
import type { User } from './User.ts'

/** The states of R4. `undefined` is the time before the stored session has been looked at. */
export type SessionState =
  | { readonly status: 'undefined' }
  | { readonly status: 'unauthenticated' }
  | { readonly status: 'authenticating'; readonly user?: User }
  | { readonly status: 'authenticated'; readonly user: User }
  | { readonly status: 'error'; readonly error: CountersignError; readonly user?: User }
