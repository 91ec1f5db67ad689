import type { CountersignError } from '@countersign/protocol'
import type { User } from '../values/User.ts'

/** Running operation; `restore`: another tab signed in, and the server is asked for the user. */
export type SessionOperation = 'signIn' | 'signOut' | 'restore'

/** The states of a session. `undefined` is the time before the stored session has been looked at. */
export type SessionState =
  | {
      readonly status: 'undefined'
      /** The stored user, while the server is asked whether the session lives. */
      readonly user?: User
      readonly isVerifying?: true
      readonly error?: undefined
      readonly operation?: undefined
    }
  | {
      readonly status: 'unauthenticated'
      readonly user?: undefined
      readonly error?: undefined
      readonly operation?: undefined
    }
  | {
      readonly status: 'authenticating'
      readonly user?: User
      readonly error?: undefined
      readonly operation: SessionOperation
    }
  | {
      readonly status: 'authenticated'
      readonly user: User
      readonly error?: undefined
      readonly operation?: undefined
    }
  | { readonly status: 'error'; readonly error: CountersignError; readonly user?: User; readonly operation?: undefined }
