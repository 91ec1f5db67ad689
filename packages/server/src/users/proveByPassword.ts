import { type CountersignError, refuse, type UserRecord } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import type { Statement } from '../db/Database.ts'
import { restoreLocked } from './accountDeletion.ts'
import { findUserByName } from './findUserByName.ts'
import { underLockout } from './lockout.ts'
import { checkPassword } from './passwords.ts'
import { encodeUser, type UserRow } from './UserRow.ts'

export type PasswordInput = { username?: string | null; email?: string | null; password: string }

/**
 * The user whose name (or e-mail address) and password these are. Unknown user and wrong password
 * give the same answer after the same work.
 */
export async function proveByPassword(context: Context, caller: Caller, input: PasswordInput): Promise<UserRecord> {
  return (await findByPassword(context, caller, input)).user
}

/** The same, with what tells later whether this is still the password. */
export async function findByPassword(
  context: Context,
  caller: Caller,
  input: PasswordInput,
  /** Whether an account that is to be deleted comes back by this. */
  restores = false,
): Promise<{ user: UserRecord; still: Statement }> {
  const { password } = input
  const name = input.username ?? input.email
  if (!name) throw refuse('signInNameMissing')
  const email = input.username ? (input.email ?? undefined) : undefined
  const user = await underLockout(context, name, async () => {
    const row = await findUserByName(context, name, email)
    if (!(await checkPassword(row?._password_hash, password)) || !row) return undefined
    return restoreLocked(context, caller, row, restores)
  })
  if (!user) throw wrong()
  refuseUnverified(context, user)
  return { user: encodeUser(context, user) as UserRecord, still: stillPassword(user) }
}

export function stillPassword(user: { objectId: string; _password_hash: string | null }): Statement {
  return {
    text: 'select from "_User" where "objectId" = $1 and "_password_hash" = $2',
    values: [user.objectId, user._password_hash],
  }
}

function wrong(): CountersignError {
  return refuse('invalidCredentials')
}

export function refuseUnverified({ config }: Context, user: UserRow): void {
  if (config.preventLoginWithUnverifiedEmail && user.email !== null && !user.emailVerified) {
    throw refuse('emailNotVerified')
  }
}
