import { refuse, type UserRecord } from '@countersign/protocol'
import { newObjectId } from '../../classes/names.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { isUniqueViolation } from '../../db/databaseErrors.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { runAfter, runBeforeSignIn } from '../../hooks/runHooks.ts'
import { decide } from '../../permissions/decide.ts'
import { accessOf } from '../../roles/accessOf.ts'
import { restoreLocked } from '../../users/accountDeletion.ts'
import { recordActivity } from '../../users/activity.ts'
import { nameKey, newUsername } from '../../users/credentials.ts'
import { isHeld, mailOpens } from '../../users/email/emailChanges.ts'
import { notifyOwner } from '../../users/email/notifyOwner.ts'
import { forgetMailTokens } from '../../users/email/verifyEmail.ts'
import { removeSignInMethods } from '../../users/passwords/resetPassword.ts'
import { checkDemands, type Proven } from '../../users/sessions/admit.ts'
import { createSession } from '../../users/sessions/createSession.ts'
import { endSessions } from '../../users/sessions/sessions.ts'
import { encodeUser, findUser, type UserRow } from '../../users/UserRow.ts'
import { createUserWithoutName } from '../wallets/signInWithWallet.ts'
import { checkEmailCode, checkEmailLink, type EmailCode, spendEmailCode } from './emailCodes.ts'

const byEmailCode: Proven = { by: 'emailCode', createdWith: { action: 'login', authProvider: 'emailCode' } }

/** Opens a session by a code that was mailed. */
export async function signInWithEmailCode(
  context: Context,
  caller: Caller,
  { restoreAccount = false, ...typed }: { handle: string; code: string; restoreAccount?: boolean | undefined },
): Promise<UserRecord> {
  return signInByMail(context, caller, await checkEmailCode(context, caller, typed), restoreAccount)
}

/** The same by the link of that mail. */
export async function signInWithEmailLink(
  context: Context,
  caller: Caller,
  { token, restoreAccount = false }: { token: string; restoreAccount?: boolean | undefined },
): Promise<UserRecord> {
  return signInByMail(context, caller, await checkEmailLink(context, caller, token), restoreAccount)
}

async function signInByMail(context: Context, caller: Caller, code: EmailCode, restores: boolean): Promise<UserRecord> {
  // One that confirms a session opens none.
  if (code.user !== null) throw refuse('emailCodeExpired')
  const open = () => openAccount(context, caller, code, restores)
  const { row, isNew } = await open().catch((error) => {
    // Of two first sign-ins at once the other one made the user.
    if (isUniqueViolation(error, '_User_email')) return open()
    throw error
  })
  const userId = row.objectId
  if (!isNew) await runBeforeSignIn(context, caller, encodeUser(context, row))
  const stillVerified = sql`u."_email_key" = ${code.key} and u."emailVerified"`
  const { token } = await createSession(context, caller, userId, { ...byEmailCode, while: stillVerified })
  const user = { ...encodeUser(context, row), objectId: userId, sessionToken: token }
  if (!isNew) await runAfter(context, caller, { hook: 'afterSignIn', className: '_User', object: user })
  return user as UserRecord
}

type Claim = { objectId: string; opens: boolean; held: boolean; verified: boolean }

/** The account of the address that the code has proven, or a new one. A refusal leaves the code as it was. */
function openAccount(
  context: Context,
  caller: Caller,
  code: EmailCode,
  restores: boolean,
): Promise<{ row: UserRow; isNew: boolean }> {
  const { db, config } = context
  return db.transaction(async () => {
    await spendEmailCode(context, code)
    const [claim] = await db.query<Claim>(sql`
      select "objectId", ${mailOpens(config)} as opens, ${isHeld} as held, "emailVerified" is true as verified
      from "_User" u
      where "_email_key" = ${code.key}
      for update`)
    if (claim?.opens) {
      const found = await findUser(context, claim.objectId)
      const restoring = { isWanted: restores, first: byEmailCode }
      const row = found && (await restoreLocked(context, caller, found, restoring))
      if (!row) throw refuse('accountLocked', undefined, { status: 401 })
      if (claim.held) {
        await checkDemands(context, row.objectId, byEmailCode)
        return { row, isNew: false }
      }
      await leaveToReader(context, caller, claim.objectId)
      return { row: await getUser(context, claim.objectId), isNew: false }
    }
    // Somebody who clicked on a link outside the account verified it: the account's owner may have mistyped it.
    if (claim?.verified) throw refuse('emailOpensNothing')
    if (!config.emailCode.signUp) throw refuse('invalidEmailCode')
    decide(context.classes.get('_User'), await accessOf(context, caller), 'create')
    if (claim) await freeAddress(context, caller, claim.objectId, code.key)
    return { row: await createReader(context, caller, code), isNew: true }
  })
}

/**
 * Nobody has shown yet that the maker of this account reads its mail: a stranger may have signed up with the address and
 * waited. The reader gets the account, and everything else that opened it ends, as with a reset by mail. The password
 * ends too, which the maker knows.
 */
async function leaveToReader(context: Context, caller: Caller, userId: string): Promise<void> {
  const { db, clock, sessionCache } = context
  // Sessions first: what one of them is adding right now is there, and seen, once it has ended.
  await endSessions(context, userId, null)
  await removeSignInMethods(context, userId)
  await db.query(sql`delete from countersign.recovery_codes where "user" = ${userId}`)
  await forgetMailTokens(context, userId)
  await db.query(sql`
    update "_User" set "_password_hash" = null, "_anonymous" = null, "emailVerified" = true,
      "_verified_outside" = null, "updatedAt" = ${clock.now()}
    where "objectId" = ${userId}`)
  await recordActivity(context, caller, userId, 'takeOverByEmail', { signInMethodsRemoved: true })
  notifyOwner(context, userId, (say) => say('emailCodeTookOver'))
  db.reportChange('_User')
  db.afterCommit(() => sessionCache.forgetUser(userId))
}

/** The address goes from an account that only claimed it, beside another sign-in method, to its reader. */
async function freeAddress(context: Context, caller: Caller, userId: string, key: string): Promise<void> {
  const { db, clock, sessionCache } = context
  // For an account whose name is the address that it loses.
  const name = newUsername()
  await db.query(sql`
    update "_User" set
      username = case when "_username_key" = ${key} then ${name} else username end,
      "_username_key" = case when "_username_key" = ${key} then ${nameKey(name)} else "_username_key" end,
      email = null, "_email_key" = null, "emailVerified" = null, "_email_added" = null, "_verified_outside" = null,
      "updatedAt" = ${clock.now()}
    where "objectId" = ${userId}`)
  await forgetMailTokens(context, userId)
  await recordActivity(context, caller, userId, 'changeEmail')
  db.reportChange('_User')
  db.afterCommit(() => sessionCache.forgetUser(userId))
}

async function createReader(context: Context, caller: Caller, { email, key }: EmailCode): Promise<UserRow> {
  const { db, clock } = context
  const objectId = newObjectId()
  const now = sql.param(clock.now())
  const own = sql.param([objectId])
  const insert = async (username: string) => {
    await db.query(sql`
      insert into "_User" ("objectId", "createdAt", "updatedAt", "_rperm", "_wperm", username, "_username_key",
        email, "_email_key", "emailVerified")
      values (${objectId}, ${now}, ${now}, ${own}, ${own}, ${username}, ${nameKey(username)}, ${email}, ${key}, true)`)
    db.reportChange('_User')
    return objectId
  }
  await createUserWithoutName(context, caller, insert, { email, emailVerified: true })
  return getUser(context, objectId)
}

async function getUser(context: Context, userId: string): Promise<UserRow> {
  const row = await findUser(context, userId)
  if (!row) throw refuse('objectNotFound')
  return row
}

export const signInWithEmailCodeEndpoint = defineEndpoint('signInWithEmailCode', {
  handle: ({ context, caller, input }) => signInWithEmailCode(context, caller, input),
})

export const signInWithEmailLinkEndpoint = defineEndpoint('signInWithEmailLink', {
  handle: ({ context, caller, input }) => signInWithEmailLink(context, caller, input),
})
