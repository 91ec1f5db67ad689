import type { WireFields } from '@countersign/protocol'
import type { User } from '../User.ts'
import type { UserFields } from '../wire/readRecord.ts'

/**
 * What a request proves the session by. The id is this browser's own name for the session: new with every sign-in and
 * every change of token, so that a late answer to an older session is told apart also where the token is in a cookie.
 */
export type Credential = { readonly id: string; readonly token?: string }

export type CurrentSession = {
  readonly credential: Credential
  /** The user as the server last gave it. */
  readonly record: UserFields
  /** Edits shown already and not yet answered, oldest first. */
  readonly edits: readonly WireFields[]
  /** `record` with `edits` on top, and the snapshot made of it. */
  readonly shown: WireFields
  readonly user: User
}
