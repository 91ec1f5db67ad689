import { CountersignError, refuse, type UserRecord, type WireFields, type WireValue } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { refuseLong } from '../../endpoint/parseRequest.ts'
import { recordActivity } from '../../users/activity.ts'
import { notifyOfAddition } from '../../users/holders/offerRecovery.ts'
import { setAsideFactor } from '../../users/holders/setAside.ts'
import { findSecondFactor } from '../../users/secondFactor.ts'
import { makeSensitiveChange, requireFreshProof } from '../../users/sensitiveChanges.ts'
import { findTotpStep, sealTotp } from '../../users/totp.ts'
import { createRecoveryCodes } from '../recovery/recoveryCodes.ts'
import { proveByCode, signInWithSecondFactor, turnOff } from './secondFactor.ts'

/** Content of `authData.mfa`, in the form that clients of the older server send. */
export type OlderMfa =
  | { kind: 'token'; token: string }
  | { kind: 'setUp'; secret: string; token: string; old: string | undefined }
  | { kind: 'remove' }

/** `undefined` if it is absent, or if the operator has an adapter of that name. */
export function readMfa({ authProviders }: Context, authData: WireValue | undefined): OlderMfa | undefined {
  if (authProviders.has('mfa') || authData === undefined || authData === null || typeof authData !== 'object')
    return undefined
  if (Array.isArray(authData) || !Object.hasOwn(authData, 'mfa')) return undefined
  const given: unknown = Reflect.get(authData, 'mfa')
  if (given === null) return { kind: 'remove' }
  const { secret, token, old } = (typeof given === 'string' ? { token: given } : Object(given)) as Record<
    string,
    unknown
  >
  if (secret !== undefined) {
    if (typeof secret !== 'string' || typeof token !== 'string') throw invalid('Invalid MFA data')
    refuseLong('authData.mfa.secret', secret, 128)
    refuseLong('authData.mfa.token', token, 64)
    return { kind: 'setUp', secret, token, old: typeof old === 'string' ? old.slice(0, 64) : undefined }
  }
  // Value that the client received and sends back.
  if (token === undefined) return undefined
  if (typeof token !== 'string') throw invalid('Invalid MFA token')
  refuseLong('authData.mfa.token', token, 64)
  return { kind: 'token', token }
}

const invalid = (sentence: string) => new CountersignError('MfaError', sentence)

/** Ends a sign-in that came with the code already: its refusal has the ticket for the second step. */
export async function signInWithMfa(
  context: Context,
  caller: Caller,
  authData: WireValue | undefined,
  refusal: unknown,
): Promise<UserRecord> {
  const isAsked = refusal instanceof CountersignError && refusal.reason === 'secondFactorRequired'
  const mfa = isAsked ? readMfa(context, authData) : undefined
  if (!isAsked || mfa?.kind !== 'token') throw refusal
  const ticket = String(refusal.params?.ticket)
  return (await signInWithSecondFactor(context, caller, { ticket, code: mfa.token })).user
}

/** 80 bits at least, as the older server asks for. */
const shortestSecret = 20

/** Checks an app whose secret the client chose, before anything is written. */
export async function checkMfaSetUp(context: Context, mfa: OlderMfa & { kind: 'setUp' }): Promise<number> {
  const isSecret = mfa.secret.length >= shortestSecret && /^[A-Z2-7]+=*$/i.test(mfa.secret)
  if (!isSecret) throw invalid('Invalid MFA data')
  const step = await findTotpStep(context, mfa.secret.toUpperCase(), mfa.token)
  if (step === undefined) throw invalid('Invalid MFA token')
  return step
}

/** Applies a change of `authData.mfa`. Returns the older server's response: recovery codes of a new app. */
export async function changeMfa(
  context: Context,
  caller: Caller,
  userId: string,
  mfa: OlderMfa | undefined,
): Promise<WireFields | undefined> {
  if (!mfa || mfa.kind === 'token') return undefined
  if (mfa.kind === 'remove') {
    const { totp, passkey } = await findSecondFactor(context, userId)
    if (totp || passkey)
      await makeSensitiveChange(context, caller, 'removeSecondFactor', userId, () => turnOff(context, caller, userId))
    return undefined
  }
  if (caller.session?.userId !== userId)
    throw new CountersignError('SessionMissing', `Cannot modify user ${userId.slice(0, 64)}.`)
  await requireFreshProof(context, caller, 'addSecondFactor', userId)
  const step = await checkMfaSetUp(context, mfa)
  const { totp } = await findSecondFactor(context, userId)
  if (totp) {
    if (mfa.old === undefined) throw refuse('secondFactorOn')
    await proveByCode(context, caller, userId, mfa.old)
  }
  await makeSensitiveChange(context, caller, 'addSecondFactor', userId, async () => {
    const now = sql.param(context.clock.now())
    const sealed = sealTotp(context, mfa.secret.toUpperCase())
    if (totp) await setAsideFactor(context, userId)
    const kept = await context.db.query(sql`
      insert into countersign.second_factors as f ("user", secret, confirmed, last_step, created)
      values (${userId}, ${sealed}, ${now}, ${step}, ${now})
      on conflict ("user") do update set secret = excluded.secret, confirmed = excluded.confirmed,
        last_step = excluded.last_step
      where f.confirmed is null or ${totp}::boolean
      returning 1`)
    if (kept.length === 0) throw refuse('secondFactorOn')
    await recordActivity(context, caller, userId, 'turnSecondFactorOn', { method: 'totp' })
    await notifyOfAddition(context, caller, userId, (say) => say('secondFactorOn'))
  })
  const { codes } = await createRecoveryCodes(context, caller)
  return { recovery: codes }
}
