import { randomBytes } from 'node:crypto'
import { type EndpointTypes, refuse, type UserRecord } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { runAfter, runBeforeSignIn } from '../../hooks/runHooks.ts'
import { hashToken } from '../../keys/secrets.ts'
import { restoreLocked } from '../../users/accountDeletion.ts'
import { recordActivity } from '../../users/activity.ts'
import { notifyOwner } from '../../users/email/notifyOwner.ts'
import { changeHolder } from '../../users/holders/changeHolder.ts'
import { notifyOfAddition } from '../../users/holders/offerRecovery.ts'
import { forgetFailures, underLockout } from '../../users/passwords/lockout.ts'
import { makeSensitiveChange } from '../../users/sensitiveChanges.ts'
import { checkDemands, type Proven } from '../../users/sessions/admit.ts'
import { createSession } from '../../users/sessions/createSession.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import { encodeUser, findUserByName, type UserRow } from '../../users/UserRow.ts'
import { nameKey } from '../../users/usernames.ts'

/** Without the letters that are read as digits; 32 of them, so that a byte's lower bits choose evenly. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz'

/** 80 bits unless said otherwise: too many to be guessed even from the hash, so a quick hash will do. */
export function newRecoveryCode(length = 16): string {
  const text = [...randomBytes(length)].map((byte) => letters[byte % letters.length]).join('')
  return text.replace(/(.{4})(?=.)/g, '$1-')
}

/** A code as people type it: with or without dashes, in capitals, with O for 0 and L or I for 1, in their own digits. */
export function readTypedCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')
}

function hashRecoveryCode(userId: string, typed: string): Buffer {
  return hashToken(`recovery ${userId} ${readTypedCode(typed)}`)
}

const count = 10

/** Ten new codes, shown once; those made before open nothing any more. */
export async function createRecoveryCodes(context: Context, caller: Caller): Promise<{ codes: string[] }> {
  const { userId } = requireSession(caller)
  const codes = Array.from({ length: count }, () => newRecoveryCode())
  // Two concurrent requests would leave twenty codes, so the user is locked.
  await makeSensitiveChange(context, caller, 'createRecoveryCodes', userId, async () => {
    await changeHolder(context, userId, 'new recovery codes')
    const hashes = codes.map((code) => hashRecoveryCode(userId, code))
    await context.db.query(sql`
      insert into countersign.recovery_codes ("user", hash, created)
      select ${userId}, unnest(${hashes}::bytea[]), ${context.clock.now()}`)
    await recordActivity(context, caller, userId, 'createRecoveryCodes')
    await notifyOfAddition(context, caller, userId, (say) => say('recoveryCodesMade'))
  })
  return { codes }
}

const byRecoveryCode: Proven = { by: 'recoveryCode', createdWith: { action: 'login', authProvider: 'recovery' } }

/**
 * Opens a session by a recovery code and consumes it. Unknown name and wrong code give the same response after the same
 * work, and are counted by name, separately from wrong passwords.
 */
async function signInWithRecoveryCode(
  context: Context,
  caller: Caller,
  { username, code, restoreAccount = false }: EndpointTypes['signInWithRecoveryCode']['input'],
): Promise<UserRecord> {
  const check = () => spend(context, caller, username, code, restoreAccount)
  const row = await underLockout(context, username, check, 'recovery')
  if (!row) throw refuse('invalidRecoveryCode')
  // The owner is here, and will want to sign in by the new password.
  await forgetFailures(context, [nameKey(row.username), nameKey(row.email ?? '')])
  const user = { ...encodeUser(context, row), objectId: row.objectId }
  await runBeforeSignIn(context, caller, user)
  const still = sql`
    select from countersign.recovery_codes
    where "user" = ${row.objectId} and hash = ${hashRecoveryCode(row.objectId, code)}`
  const { token } = await createSession(context, caller, row.objectId, { ...byRecoveryCode, still })
  const answer = { ...user, sessionToken: token }
  await runAfter(context, caller, { hook: 'afterSignIn', className: '_User', object: answer })
  return answer as UserRecord
}

/** Uses a code of a known account up, in the place of its second factor. */
export async function spendRecoveryCode(
  context: Context,
  caller: Caller,
  userId: string,
  code: string,
): Promise<boolean> {
  const spent = await context.db.query(sql`
    update countersign.recovery_codes set used = ${context.clock.now()}
    where "user" = ${userId} and hash = ${hashRecoveryCode(userId, code)} and used is null
    returning 1`)
  if (spent.length === 0) return false
  await recordActivity(context, caller, userId, 'useRecoveryCode')
  notifyOwner(context, userId, (say) => say('recoveryCodeUsed'))
  return true
}

/** One statement finds the code and uses it up: of two who send it at once, one gets in. */
async function spend(
  context: Context,
  caller: Caller,
  name: string,
  code: string,
  restores: boolean,
): Promise<UserRow | undefined> {
  const found = await findUserByName(context, name)
  const userId = found?.objectId ?? ''
  return context.db.transaction(async () => {
    const spent = await context.db.query(sql`
      update countersign.recovery_codes set used = ${context.clock.now()}
      where "user" = ${userId} and hash = ${hashRecoveryCode(userId, code)} and used is null
      returning 1`)
    if (!found || spent.length === 0) return undefined
    // A refusal undoes what was spent.
    const user = await restoreLocked(context, caller, found, { isWanted: restores, first: byRecoveryCode })
    if (!user) throw refuse('invalidRecoveryCode')
    await checkDemands(context, userId, byRecoveryCode)
    await recordActivity(context, caller, userId, 'useRecoveryCode')
    notifyOwner(context, userId, (say) => say('recoveryCodeUsed'))
    return user
  })
}

export const createRecoveryCodesEndpoint = defineEndpoint('createRecoveryCodes', {
  handle: ({ context, caller }) => createRecoveryCodes(context, caller),
})

export const signInWithRecoveryCodeEndpoint = defineEndpoint('signInWithRecoveryCode', {
  handle: ({ context, caller, input }) => signInWithRecoveryCode(context, caller, input),
})
