import { CountersignError, type CreatedWith, refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { findAdditional, findSecondFactor, hasSecondFactor, passSecondFactor } from '../secondFactor.ts'
import { isLockedSql } from '../UserRow.ts'

/** Value of a kind of proof. Every check applies unless it is named here. */
type Worth = {
  /** Counts as two factors. */
  isWhole?: true
  /** Needs no additional provider. */
  standsAlone?: true
  /** Opens a session that counts as unconfirmed: the proof does not show who is there. */
  isWeak?: true
  /** Continues a session, or is the operator's own act: the account is asked for nothing but to be open. */
  isNoSignIn?: true
}

/**
 * Every proof that opens a session. The decision is made from this table and from the account's own rows: no caller has
 * a flag that passes a check. Additional providers guard secrets that people type, which can be guessed or phished. A
 * wallet, a passkey and a recovery code are keys, and need no such provider.
 */
export const proofKinds = {
  password: {},
  signUp: {},
  guestId: {},
  emailCode: {},
  identity: {},
  soloIdentity: { standsAlone: true },
  wallet: { standsAlone: true },
  // Any server can have it signed on a page of its own: the text is bound to no page.
  relayedWallet: { standsAlone: true, isWeak: true },
  passkey: { isWhole: true, standsAlone: true },
  // A key without a PIN shows that somebody holds it, not who.
  passkeyTouch: { standsAlone: true, isWeak: true },
  recoveryCode: { isWhole: true, standsAlone: true },
  // The first step was asked for everything else, and its ticket ends when any of that changes.
  secondStep: { isWhole: true, standsAlone: true },
  relayedSecondStep: { isWhole: true, standsAlone: true, isWeak: true },
  newPassword: { isNoSignIn: true },
  session: { isNoSignIn: true },
  // The user has shown nothing, so the session must not change what opens the account.
  masterKey: { isNoSignIn: true, isWeak: true },
  operator: { isNoSignIn: true, isWeak: true },
} satisfies { [kind: string]: Worth }

export type ProofKind = keyof typeof proofKinds

const worthOf = (by: ProofKind): Worth => proofKinds[by]

/** Result of every sign-in's proofs, for the last step. */
export type Proven = {
  by: ProofKind
  createdWith: CreatedWith
  /** Signed message. */
  proof?: { message: string; signature: string } | undefined
  /** Names of the additional providers that were shown besides it. */
  additional?: readonly string[] | undefined
  /** Proofs as ID tokens state them, where `by` does not say all. */
  methods?: readonly SessionMethod[]
}

/** A proof as it is stored with its session: its kind, or the second factor that followed it. */
export type SessionMethod = ProofKind | 'secondCode' | 'secondPasskey'

/** Proofs of a new session. What continues another, or is not by its user, proves nothing. */
export function methodsOf({ by, methods = [by] }: Pick<Proven, 'by' | 'methods'>): SessionMethod[] {
  return worthOf(by).isNoSignIn ? [] : [...methods]
}

/** The time of its last confirmation that a session has whose opening confirms nothing. */
const never = new Date(0)

/** `undefined` where a proof of this kind confirms the session that it opens. */
export const confirmedBy = (by: ProofKind): Date | undefined => (worthOf(by).isWeak ? never : undefined)

/** The kind of the second step after a first one: what a stranger relayed may be followed by a code that is relayed, too. */
export const secondStepAfter = (by: string): ProofKind =>
  by === ('relayedWallet' satisfies ProofKind) ? 'relayedSecondStep' : 'secondStep'

/**
 * Lets a proof through that opens the account, and refuses it otherwise: where only the second factor is missing, with
 * a ticket for the second step. Writes nothing. `confirmed` is set where the session is not confirmed by its opening.
 */
export async function admit(
  context: Context,
  caller: Caller,
  userId: string,
  proven: Proven,
  /** The account is to be deleted, and comes back by this; or a wallet of this key returns to it. */
  { restores, returns }: { restores?: true; returns?: string } = {},
): Promise<{ confirmed?: Date }> {
  const { isNoSignIn, isWhole } = worthOf(proven.by)
  const confirmed = confirmedBy(proven.by)
  const weak = confirmed ? { confirmed } : {}
  if (isNoSignIn) return weak
  await checkDemands(context, userId, proven)
  const { by, createdWith, proof } = proven
  // A sheet of codes that was found does not keep what its owner wanted gone.
  if (isWhole && !(restores && by === 'recoveryCode')) return weak
  const bringsBack = restores || returns !== undefined
  if (bringsBack) refuseWeak(secondStepAfter(by))
  const isRemembered = await passSecondFactor(context, caller, userId, { by, createdWith, proof, restores, returns })
  // A device that is remembered shows that it was here before, not who uses it now.
  const admitted = isRemembered ? { confirmed: never } : weak
  if (bringsBack && admitted.confirmed) throw unconfirmed()
  return admitted
}

/**
 * Rejects weak proofs for restoring: deleting, merging and unlinking were confirmed, so undoing them needs the owner's
 * proof.
 */
export function refuseWeak(by: ProofKind): void {
  if (confirmedBy(by)) throw unconfirmed()
}

const unconfirmed = () =>
  refuse('reauthenticationRequired', undefined, { details: 'Sign in with a proof that starts a confirmed session.' })

/** The demands that no second step can meet. Checked early by what spends a code or restores an account. */
export async function checkDemands(context: Context, userId: string, { by, additional }: Omit<Proven, 'createdWith'>) {
  await refuseUnverified(context, userId)
  if (!worthOf(by).standsAlone) await requireAdditional(context, userId, additional)
}

export async function refuseUnverified({ db, config }: Context, userId: string): Promise<void> {
  if (!config.preventLoginWithUnverifiedEmail) return
  const unverified = await db.query(sql`
    select from "_User"
    where "objectId" = ${userId} and email is not null and "emailVerified" is not true`)
  if (unverified.length > 0) throw refuse('emailNotVerified')
}

/** Requires the account's additional providers. One that only comes with the request does not count. */
export async function requireAdditional(
  context: Context,
  userId: string,
  shown: readonly string[] = [],
): Promise<void> {
  const missing = (await findAdditional(context, userId)).filter((name) => !shown.includes(name))
  if (missing.length === 0) return
  throw new CountersignError('OtherCause', `Missing additional authData ${missing.join(',')}`)
}

/**
 * SQL: whether a wallet opens the account of `u` with nothing more to ask, so that the sign-in is one statement. The
 * same decision as `admit`, which is asked wherever this does not hold.
 */
export function walletOpensAtOnce({ config }: Context): Fragment {
  const mayAsk = config.secondFactor.required !== false
  return sql`(not ${isLockedSql} and not ${mayAsk}::boolean and not ${hasSecondFactor}
    and (not ${config.preventLoginWithUnverifiedEmail}::boolean or u.email is null or u."emailVerified" is true))`
}

/**
 * Returns true if a new account by password gets its session in the same statement, because nothing can be asked of it.
 */
export function newAccountOpensAtOnce({ config }: Context, isUnverified: boolean): boolean {
  return config.secondFactor.required === false && !(config.preventLoginWithUnverifiedEmail && isUnverified)
}

/** A fresh proof of a session's user, with the second factor if the account has one. */
export type ProvenAgain = {
  by: ProofKind
  additional?: readonly string[] | undefined
  hasSecondFactor: boolean
  /** Finds what was proven, as long as it opens the account. */
  still: Fragment
}

/** Refuses a proof that does not confirm a session. */
export async function checkConfirmation(context: Context, caller: Caller, proven: ProvenAgain): Promise<void> {
  const { session } = caller
  if (!session) throw refuse('invalidSessionToken')
  // An operator's session of a user stays unconfirmed, whatever the operator holds.
  if (session.openedBy !== undefined) throw refuse('operatorForbidden')
  const { isWhole, isWeak, isNoSignIn, standsAlone } = worthOf(proven.by)
  if (isWeak || isNoSignIn) throw refuse('proofMissing')
  if (!standsAlone) await requireAdditional(context, session.userId, proven.additional)
  if (isWhole || proven.hasSecondFactor) return
  const factor = await findSecondFactor(context, session.userId)
  if (factor.totp || factor.passkey) throw refuse('secondFactorRequired', { ...factor })
}
