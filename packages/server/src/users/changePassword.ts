import { CountersignError, type WireValue } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { checkPasswordPolicy } from './checkPasswordPolicy.ts'
import { findUser } from './findUser.ts'
import { underLockout } from './lockout.ts'
import { needSession } from './needSession.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import { readPassword } from './readCredentials.ts'
import { replaceSessions } from './updateUser.ts'

/** Sets a new password for whoever knows the current one, and ends every other session. */
export async function changePassword(
  context: Context,
  caller: Caller,
  input: { currentPassword?: WireValue; newPassword?: WireValue },
): Promise<{ sessionToken?: string }> {
  const { userId } = needSession(caller)
  const newPassword = readPassword(input.newPassword)
  const { currentPassword } = input
  if (typeof currentPassword !== 'string') throw new CountersignError('PasswordMissing', 'The current password is required.')
  const user = await findUser(context, userId)
  if (!user) throw new CountersignError('InvalidSessionToken', 'Invalid session token')
  checkPasswordPolicy(context, newPassword, user.username)
  const proven = await underLockout(context, user.username, async () =>
    (await checkPassword(user._password_hash, currentPassword)) ? true : undefined,
  )
  if (!proven) throw new CountersignError('ObjectNotFound', 'The current password is not right.')
  const hash = await hashPassword(newPassword)
  return context.db.transaction(async () => {
    await context.db.query({
      text: 'update "_User" set "_password_hash" = $2, "updatedAt" = $3 where "objectId" = $1',
      values: [userId, hash, context.clock.now()],
    })
    context.db.afterCommit(() => context.sessionCache.forgetUser(userId))
    const sessionToken = await replaceSessions(context, caller, userId)
    return sessionToken ? { sessionToken } : {}
  })
}
