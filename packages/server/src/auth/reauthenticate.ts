import { refuse, type WireValue } from '@countersign/protocol'
import type { Assertion } from '@countersign/protocol/contract'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { recordActivity } from '../users/activity.ts'
import { findAllowance } from '../users/knownBrowsers.ts'
import { checkPassword } from '../users/passwords/hashPassword.ts'
import { underLockout } from '../users/passwords/lockout.ts'
import { stillPassword } from '../users/passwords/logIn.ts'
import { findSecondFactor } from '../users/secondFactor.ts'
import type { ProvenAgain } from '../users/sessions/admit.ts'
import { confirmSession, requireSession } from '../users/sessions/sessions.ts'
import { requireMethod } from '../users/signUpRules.ts'
import { encodeUser, findUser } from '../users/UserRow.ts'
import { accountKey } from './Account.ts'
import { checkEmailCode, spendEmailCode } from './emailCode/emailCodes.ts'
import { provePasskey } from './passkeys/signInWithPasskey.ts'
import { findIdentities, openAll, readProviders } from './providers/identities.ts'
import { type ProviderResponse, proveByProvider } from './providers/providerSignIn.ts'
import { type GivenIdentity, proveIdentity } from './providers/runAdapter.ts'
import { proveAdditional } from './providers/signInWithProviders.ts'
import { proveByCode } from './secondFactor/secondFactor.ts'
import { type ProofInput, verifyWalletProof } from './wallets/verifyWalletProof.ts'

/** Confirms the session by a fresh proof of its user. The session goes on under a new token. */
async function reauthenticate(
  context: Context,
  caller: Caller,
  input: ReauthenticateInput,
): Promise<{ confirmedUntil: string; sessionToken: string }> {
  const { userId } = requireSession(caller)
  const { secondFactorCode: code } = input
  const factor = await findSecondFactor(context, userId)
  const isOn = factor.totp || factor.passkey
  // Before a challenge is used up for nothing.
  if (isOn && !input.credential && code === undefined) throw refuse('secondFactorRequired', { ...factor })
  const { shown, ...proven } = await verifyReauthentication(context, caller, input)
  // Decided by verified proofs: a passkey counts as two factors, but not if it is only sent with another proof.
  const usesCode = isOn && proven.by !== 'passkey' && code !== undefined
  if (usesCode) await proveByCode(context, caller, userId, code)
  const { token, confirmedAt } = await context.db.transaction(async () => {
    await recordActivity(context, caller, userId, 'reauthenticate', { ...shown })
    return confirmSession(context, caller, { ...proven, hasSecondFactor: usesCode })
  })
  const confirmedUntil = new Date(confirmedAt.getTime() + context.config.confirmationLength * 1000)
  return { confirmedUntil: confirmedUntil.toISOString(), sessionToken: token }
}

type ReauthenticateInput = {
  password?: string
  message?: string
  signature?: string
  credential?: Assertion
  authData?: object
  emailCode?: { handle: string; code: string }
  provider?: ProviderResponse
  secondFactorCode?: string
}

/** Proof for the decision, and its form in the activity log, with the address of a wallet. */
type ShownAgain = Omit<ProvenAgain, 'hasSecondFactor'> & {
  shown:
    | { method: 'password' | 'passkey' | 'emailCode' }
    | { method: 'wallet'; namespace: string; address: string }
    | { method: 'identity'; provider: string }
}

/** Verifies that the caller is the session's user. A sign-in method of another account is no proof. */
async function verifyReauthentication(
  context: Context,
  caller: Caller,
  input: ReauthenticateInput,
): Promise<ShownAgain> {
  const { password, message, signature, credential, authData, emailCode } = input
  const { given } = readProviders(context, authData as WireValue | undefined)
  if (password !== undefined) requireMethod(context, 'password')
  if (password !== undefined) return byPassword(context, caller, password, given)
  if (input.provider) {
    const shown = await proveByProvider(context, caller, 'reauthenticate', input.provider)
    return byIdentity(context, caller, [shown, ...given.filter(({ provider }) => provider.policy === 'additional')])
  }
  if (message !== undefined && signature !== undefined) return byWallet(context, caller, { message, signature })
  if (emailCode !== undefined) return byEmailCode(context, caller, emailCode, given)
  if (credential === undefined && given.length > 0) return byIdentity(context, caller, given)
  if (credential === undefined) throw refuse('proofMissing')
  const { passkeyId, userId } = await provePasskey(context, caller, 'reauthenticate', credential)
  const still = sql`select from countersign.passkeys where "objectId" = ${passkeyId} and "user" = ${userId}`
  return { by: 'passkey', still, shown: { method: 'passkey' } }
}

async function byPassword(
  context: Context,
  caller: Caller,
  password: string,
  further: GivenIdentity[],
): Promise<ShownAgain> {
  const user = await findUser(context, requireSession(caller).userId)
  if (!user) throw refuse('wrongPassword', undefined, { status: 401 })
  // Counted, so that a stolen session cannot guess the password. Separate from sign-ins: strangers who guess for the
  // name must not block its owner.
  const allowance = await findAllowance(context, caller, { userId: user.objectId })
  const check = async () => ((await checkPassword(user._password_hash, password)) ? true : undefined)
  const right = await underLockout(context, user.username, check, 'password', allowance)
  if (!right) throw refuse('wrongPassword', undefined, { status: 401 })
  const additional = await proveAdditional(context, caller, user, further)
  const still = sql`select from "_User" u where "objectId" = ${user.objectId} and ${stillPassword(user)}`
  return { by: 'password', additional, still, shown: { method: 'password' } }
}

/** By a provider of the setting `auth`, as at a sign-in: with the additional ones that the account asks for. */
async function byIdentity(context: Context, caller: Caller, given: GivenIdentity[]): Promise<ShownAgain> {
  const { userId } = requireSession(caller)
  requireMethod(context, 'provider')
  const shown = given.find(({ provider }) => provider.policy !== 'additional')
  const user = await findUser(context, userId)
  if (!shown || !user) throw refuse('proofMissing')
  const rows = await findIdentities(context, userId)
  const owner = { ...encodeUser(context, user), authData: openAll(context, rows) }
  await proveIdentity(context, caller, shown, 'validateLogin', owner)
  const { name } = shown.provider
  const isOwn = rows.some((row) => row.provider === name && row.id === shown.id)
  if (!isOwn) throw refuse('identityNotLinked', undefined, { status: 401 })
  const isSolo = shown.provider.policy === 'solo'
  const additional = isSolo ? [] : await proveAdditional(context, caller, user, given)
  const by = isSolo ? 'soloIdentity' : 'identity'
  const still = sql`
    select from countersign.identities where provider = ${name} and id = ${shown.id} and "user" = ${userId}`
  return { by, additional, still, shown: { method: 'identity', provider: name } }
}

/** By a code that went to the address of this session's account; one that signs in confirms nothing. */
async function byEmailCode(
  context: Context,
  caller: Caller,
  typed: { handle: string; code: string },
  further: GivenIdentity[],
): Promise<ShownAgain> {
  const { userId } = requireSession(caller)
  const code = await checkEmailCode(context, caller, typed)
  const still = sql`
    select from "_User" where "objectId" = ${userId} and "_email_key" = ${code.key} and "emailVerified"`
  const [own] = await context.db.query(still)
  const user = await findUser(context, userId)
  if (code.user !== userId || !own || !user) throw refuse('emailCodeExpired')
  // A refusal leaves the code as it was.
  const additional = await proveAdditional(context, caller, user, further)
  await spendEmailCode(context, code)
  return { by: 'emailCode', additional, still, shown: { method: 'emailCode' } }
}

async function byWallet(context: Context, caller: Caller, input: ProofInput): Promise<ShownAgain> {
  const { userId } = requireSession(caller)
  const { account } = await verifyWalletProof(context, caller, 'reauthenticate', input)
  const own = await context.db.query(sql`
    update countersign.wallets set last_used = ${context.clock.now()}, imported = null
    where key = ${accountKey(account)} and "user" = ${userId}
    returning 1`)
  if (own.length === 0) throw refuse('walletNotLinked', undefined, { status: 401 })
  const { namespace, address } = account
  const still = sql`select from countersign.wallets where key = ${accountKey(account)} and "user" = ${userId}`
  return { by: 'wallet', still, shown: { method: 'wallet', namespace, address } }
}

export const reauthenticateEndpoint = defineEndpoint('reauthenticate', {
  handle: ({ context, caller, input }) => reauthenticate(context, caller, input),
})
