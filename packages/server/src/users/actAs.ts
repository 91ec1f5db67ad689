import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { encodeUser, type UserRow } from './UserRow.ts'

/** The caller in the place of a user who has no session: known to access lists as that user, and confirmed by nothing. */
export function actAs(context: Context, caller: Caller, row: UserRow): Caller & { session: object } {
  const session = {
    objectId: '',
    token: '',
    tokenKey: '',
    expiresAt: 0,
    lastUsedAt: 0,
    confirmedAt: 0,
    isAnonymous: false,
    userId: row.objectId,
    user: encodeUser(context, row),
  }
  return { ...caller, session }
}
