import { CountersignError, refuse, type UserRecord } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { runAfter, runBeforeSignIn } from '../../hooks/runHooks.ts'
import { restoreLocked } from '../accountDeletion.ts'
import { findAllowance } from '../knownBrowsers.ts'
import { asksForMore, findSecondFactor, isSecondFactorRequired } from '../secondFactor.ts'
import { type Proven, refuseUnverified } from '../sessions/admit.ts'
import { createSession, type StillHolds } from '../sessions/createSession.ts'
import { requireMethod } from '../signUpRules.ts'
import { encodeUser, findUser, findUserByName, type UserRow } from '../UserRow.ts'
import { checkPassword, hashPassword, isOlderHash } from './hashPassword.ts'
import { underLockout } from './lockout.ts'

type SignInInput = PasswordInput & { restoreAccount?: boolean | undefined }

const byPassword: Proven = { by: 'password', createdWith: { action: 'login', authProvider: 'password' } }

/** Opens a session for the user whose password this is. */
export async function logIn(
  context: Context,
  caller: Caller,
  input: SignInInput,
  /** Checks the user's additional providers, and returns the names of the proven ones. */
  askFurther?: AskFurther,
): Promise<UserRecord> {
  const { user, ...proven } = await findByPassword(context, caller, input, input.restoreAccount, askFurther)
  await runBeforeSignIn(context, caller, user)
  const session = await createSession(context, caller, user.objectId, proven)
  const answer = { ...user, sessionToken: session.token }
  await runAfter(context, caller, { hook: 'afterSignIn', className: '_User', object: answer })
  return answer as UserRecord
}

/** Opens a session for any user, with the master key. */
async function logInAs(context: Context, caller: Caller, userId: string): Promise<UserRecord> {
  if (!caller.isMaster) throw new CountersignError('OperationForbidden', 'master key is required')
  const row = await findUser(context, userId)
  if (!row) throw new CountersignError('ObjectNotFound', 'user not found')
  const createdWith = { action: 'login', authProvider: 'masterkey' } as const
  const anywhere = { ...caller, installationId: undefined }
  const session = await createSession(context, anywhere, userId, { by: 'masterKey', createdWith })
  return { ...encodeUser(context, row), sessionToken: session.token } as UserRecord
}

type AskFurther = (user: { objectId: string; username: string }) => Promise<readonly string[]>

export type PasswordInput = { username?: string | null; email?: string | null; password: string }

/**
 * Finds the user by name (or email address) and password. Unknown user and wrong password give the same response after
 * the same work.
 */
export async function proveByPassword(context: Context, caller: Caller, input: PasswordInput): Promise<UserRecord> {
  return (await findByPassword(context, caller, input)).user
}

/**
 * Checks a password and returns the user, without a session. If the account requires more than a password, only its own
 * session may do so.
 */
async function verifyPassword(context: Context, caller: Caller, input: PasswordInput): Promise<UserRecord> {
  const user = await proveByPassword(context, caller, input)
  const isOwn = caller.isMaster || caller.session?.userId === user.objectId
  if (!isOwn && ((await asksForMore(context, user.objectId)) || (await isSecondFactorRequired(context, user.objectId))))
    throw refuse('secondFactorRequired', { ...(await findSecondFactor(context, user.objectId)) })
  return user
}

/** The same, with a value to check later that the password is unchanged. */
async function findByPassword(
  context: Context,
  caller: Caller,
  input: PasswordInput,
  /** Restores an account that is scheduled for deletion. */
  restores = false,
  askFurther?: AskFurther,
): Promise<{ user: UserRecord } & Proven & StillHolds> {
  requireMethod(context, 'password')
  const { password } = input
  const name = input.username ?? input.email
  if (!name) throw refuse('signInNameMissing')
  const email = input.username ? (input.email ?? undefined) : undefined
  let additional: readonly string[] | undefined
  const allowance = await findAllowance(context, caller, { name })
  const check = async () => {
    const [row, older] = await Promise.all([findUserByName(context, name, email), hasOlderHashes(context)])
    if (!(await checkPassword(row?._password_hash, password, older)) || !row) return undefined
    if (isOlderHash(row._password_hash) && !(await replaceHash(context, row, password))) return undefined
    // Before an account is restored: who lacks the additional provider does not bring it back.
    additional = await askFurther?.(row)
    return restoreLocked(context, caller, row, { isWanted: restores, first: { ...byPassword, additional } })
  }
  const user = await underLockout(context, name, check, 'password', allowance)
  if (!user) throw wrong()
  await refuseUnverified(context, user.objectId)
  return { user: encodeUser(context, user) as UserRecord, ...byPassword, additional, while: stillPassword(user) }
}

/** Lifetime (ms) of the result, which only equalizes the time of a check. */
const olderHashesHold = 60_000

async function hasOlderHashes({ db, olderHashes }: Context): Promise<boolean> {
  if (Date.now() - olderHashes.asked < olderHashesHold) return olderHashes.present
  olderHashes.asked = Date.now()
  const [row] = await db.query<{ present: boolean }>(
    sql.named('find-older-hashes')`
      select exists (select from "_User" where "_password_hash" like '$2%') as present`,
  )
  olderHashes.present = row?.present ?? false
  return olderHashes.present
}

/** The hash of an import was right: from now on the password is kept as every other is. */
async function replaceHash({ db }: Context, user: UserRow, password: string): Promise<boolean> {
  const fresh = await hashPassword(password)
  const [replaced] = await db.query(sql`
    update "_User" set "_password_hash" = ${fresh}
    where "objectId" = ${user.objectId} and "_password_hash" = ${user._password_hash}
    returning 1`)
  if (replaced) {
    db.reportChange('_User')
    user._password_hash = fresh
    return true
  }
  // Another sign-in was first, or the password has changed in between.
  const [now] = await db.query<{ _password_hash: string | null }>(
    sql`select "_password_hash" from "_User" where "objectId" = ${user.objectId}`,
  )
  user._password_hash = now?._password_hash ?? null
  return checkPassword(user._password_hash, password)
}

export function stillPassword(user: { _password_hash: string | null }): Fragment {
  return sql`u."_password_hash" = ${user._password_hash}`
}

function wrong(): CountersignError {
  return refuse('invalidCredentials')
}

export const verifyPasswordEndpoint = defineEndpoint('verifyPassword', {
  handle: ({ context, caller, input }) => verifyPassword(context, caller, input),
})

export const logInAsEndpoint = defineEndpoint('logInAs', {
  handle: ({ context, caller, input }) => logInAs(context, caller, input.userId),
})
