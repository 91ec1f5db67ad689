import { CountersignError, refuse, type UserRecord } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { isUniqueViolation } from '../../db/databaseErrors.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { runAfter, runBeforeSignIn } from '../../hooks/runHooks.ts'
import { restoreLocked } from '../../users/accountDeletion.ts'
import { recordActivity } from '../../users/activity.ts'
import { isHeld, mailOpens } from '../../users/email/emailChanges.ts'
import { notifyOwner } from '../../users/email/notifyOwner.ts'
import { changeHolder } from '../../users/holders/changeHolder.ts'
import { findGuard, type Guard } from '../../users/holders/guards.ts'
import { passSecondFactor } from '../../users/secondFactor.ts'
import { checkDemands, type Proven } from '../../users/sessions/admit.ts'
import { createSession } from '../../users/sessions/createSession.ts'
import { encodeUser, findUser, type UserRow } from '../../users/UserRow.ts'
import { createReader } from '../recovery/createReader.ts'
import { refreshAddresses } from '../wallets/wallets.ts'
import { checkEmailCode, checkEmailLink, type EmailCode, spendEmailCode } from './emailCodes.ts'

const byEmailCode: Proven = { by: 'emailCode', createdWith: { action: 'login', authProvider: 'emailCode' } }

type Wishes = {
  /** An account that is to be deleted comes back. */
  restoreAccount?: boolean | undefined
  /** Creates a new account with the address if mail alone does not open the existing one. */
  newAccount?: boolean | undefined
}

/** Opens a session by a code that was mailed. */
async function signInWithEmailCode(
  context: Context,
  caller: Caller,
  { restoreAccount, newAccount, ...typed }: { handle: string; code: string } & Wishes,
): Promise<UserRecord> {
  return signInByMail(context, caller, await checkEmailCode(context, caller, typed), { restoreAccount, newAccount })
}

/** The same by the link of that mail. */
async function signInWithEmailLink(
  context: Context,
  caller: Caller,
  { token, ...wishes }: { token: string } & Wishes,
): Promise<UserRecord> {
  return signInByMail(context, caller, await checkEmailLink(context, caller, token), wishes)
}

async function signInByMail(context: Context, caller: Caller, code: EmailCode, wishes: Wishes): Promise<UserRecord> {
  // A code that confirms a session cannot open one.
  if (code.user !== null) throw refuse('emailCodeExpired')
  const open = () => openAccount(context, caller, code, wishes)
  const { row, isNew } = await open()
    .catch((error) => {
      // Of two first sign-ins at once the other one made the user.
      if (isUniqueViolation(error, '_User_email')) return open()
      throw error
    })
    .catch((error) => {
      // Kept for an account that was merged away, and comes back with it.
      throw isUniqueViolation(error, '_User_email') ? refuse('emailTaken') : error
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
  { restoreAccount = false, newAccount = false }: Wishes,
): Promise<{ row: UserRow; isNew: boolean }> {
  const { db, config } = context
  return db.transaction(async () => {
    await spendEmailCode(context, code)
    const [claim] = await db.query<Claim>(sql`
      select "objectId", ${mailOpens(config)} as opens, ${isHeld} as held, "emailVerified" is true as verified
      from "_User" u
      where "_email_key" = ${code.key}
      for update`)
    const guard = claim?.opens ? await findGuard(context, claim.objectId, claim.held) : undefined
    const givesUp = newAccount && claim !== undefined && !claim.held
    if (claim?.opens && !(guard && givesUp)) {
      if (guard) await passGuard(context, caller, claim, guard)
      const found = await findUser(context, claim.objectId)
      const restoring = { isWanted: restoreAccount, first: byEmailCode }
      const row = found && (await restoreLocked(context, caller, found, restoring))
      if (!row) throw refuse('accountLocked', undefined, { status: 401 })
      if (claim.held) await checkDemands(context, row.objectId, byEmailCode)
      if (claim.held || guard) return { row, isNew: false }
      await leaveToReader(context, caller, claim.objectId)
      return { row: await getUser(context, claim.objectId), isNew: false }
    }
    // Verified by a link outside the account: the account's owner may have mistyped the address.
    if (claim?.verified && !givesUp) throw refuse('emailOpensNothing')
    if (!config.emailCode.signUp) throw refuse('invalidEmailCode')
    const { email, key } = code
    return { row: await createReader(context, caller, { email, key, from: claim?.objectId }), isNew: true }
  })
}

/**
 * Passes a browser remembered for the second factor, and refuses everyone else with the required proofs. The refusal
 * rolls back the transaction, so the code still works for a new account with the address.
 */
async function passGuard(context: Context, caller: Caller, { objectId, held }: Claim, guard: Guard): Promise<void> {
  const isFactor = guard.kind === 'factor' && !guard.additional
  if (!isFactor) throw refuse('mailNotEnough', { newAccount: !held })
  await passSecondFactor(context, caller, objectId, byEmailCode).catch((error: unknown) => {
    if (!(error instanceof CountersignError) || error.reason !== 'secondFactorRequired') throw error
    throw refuse('secondFactorRequired', { ...error.params, newAccount: true })
  })
}

/**
 * Hands the account to the reader of its mail. The address was never verified, so a stranger may have signed up with it
 * and waited. All other sign-in methods end, as with a reset by mail, including the password, which the stranger knows.
 */
async function leaveToReader(context: Context, caller: Caller, userId: string): Promise<void> {
  const { db, clock } = context
  await changeHolder(context, userId, 'mailed code, address not verified by the holder')
  await refreshAddresses(context, userId)
  await db.query(sql`
    update "_User" set "emailVerified" = true, "_verified_outside" = null, "updatedAt" = ${clock.now()}
    where "objectId" = ${userId}`)
  await recordActivity(context, caller, userId, 'takeOverByEmail', { signInMethodsRemoved: true })
  notifyOwner(context, userId, (say) => say('emailCodeTookOver'))
  db.reportChange('_User')
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
