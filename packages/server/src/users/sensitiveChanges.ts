import { CountersignError, refuse } from '@countersign/protocol'
import { isNear } from '../clock/Clock.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { asksForMore } from './secondFactor.ts'
import { isOnlyAnonymous, lockUsers } from './UserRow.ts'

type Rule = {
  /** A guest without a second factor may do this without a proof, having none to give: it is what makes the account safe. */
  guests?: true
  /** Seconds for which a proof counts, where that is not `confirmationLength`. */
  within?: number
  /** Not before the account's contract is deployed: who owns it then may be somebody else. */
  deployed?: true
}

/**
 * Changes that a session found open on another person's device must not make: everything that opens the account, ends
 * it, or carries it away. Each needs a recent proof of its user. Changes not listed must not affect any of that;
 * `http/walks/staleSessionWalk.test.ts` checks every endpoint.
 */
export const sensitiveChanges = {
  linkWallet: { guests: true, deployed: true },
  unlinkWallet: {},
  restoreWallet: {},
  addPasskey: { guests: true, deployed: true },
  removePasskey: {},
  restorePasskey: {},
  linkIdentity: { guests: true, deployed: true },
  unlinkIdentity: {},
  linkAnonymousId: { deployed: true },
  unlinkAnonymousId: {},
  createAccessToken: {},
  setPassword: { guests: true, deployed: true },
  changeEmail: { guests: true, deployed: true },
  changeUsername: { guests: true },
  createRecoveryCodes: { deployed: true },
  turnAlertsOff: {},
  addSecondFactor: {},
  removeSecondFactor: {},
  merge: { within: 300, deployed: true },
  undoMerge: {},
  createSession: {},
  exportAccount: {},
  // Older clients delete a guest who signs out, which nobody could confirm. It can be undone by the guest's id.
  deleteAccount: { guests: true },
} satisfies { [name: string]: Rule }

export type SensitiveChange = keyof typeof sensitiveChanges

const ruleOf = (change: SensitiveChange): Rule => sensitiveChanges[change]

/**
 * Refuses early, before slow work: unless the caller's session is of this user and was confirmed a short time ago.
 * The change itself goes through `makeSensitiveChange`, which looks again.
 */
export async function requireFreshProof(
  context: Context,
  caller: Caller,
  change: SensitiveChange,
  userId: string,
): Promise<void> {
  if (isOperator(caller)) return
  const session = sessionOf(caller, userId)
  if (!isFresh(context, change, session.confirmedAt))
    await refuseUnlessGuest(context, change, userId, session.confirmedAt)
  await refuseUndeployed(context, [change], userId)
}

/**
 * Carries a sensitive change out in a transaction that holds the user and the caller's session, and checks that session
 * inside: it may have been ended while the caller waited for a node, for a hash or for another request. Whatever ends
 * sessions waits for this transaction, or this one finds the session gone. Joins the transaction of the calling
 * context where there is one.
 */
export function makeSensitiveChange<Result>(
  context: Context,
  caller: Caller,
  change: SensitiveChange | readonly SensitiveChange[],
  userId: string,
  work: () => Promise<Result>,
  options: {
    /** Further users whom the work changes. */
    users?: string[]
    /** The request itself carries a proof, which was checked. The session must be alive all the same. */
    isProven?: boolean
  } = {},
): Promise<Result> {
  return context.db.transaction(async () => {
    // Users first, sessions after them, as everywhere: two transactions never wait for each other.
    await lockUsers(context, [userId, ...(options.users ?? [])])
    if (!isOperator(caller)) {
      const confirmedAt = await holdSession(context, caller, userId)
      const changes: readonly SensitiveChange[] = typeof change === 'string' ? [change] : change
      // A password given to an operator is not an act of the user.
      if (options.isProven && caller.session?.openedBy !== undefined) throw refuse('operatorForbidden')
      for (const one of options.isProven ? [] : changes) {
        if (!isFresh(context, one, confirmedAt)) await refuseUnlessGuest(context, one, userId, confirmedAt)
      }
      await refuseUndeployed(context, changes, userId)
    }
    return work()
  })
}

/** Holds the caller's session until the transaction ends, and tells when its user last gave a proof. */
async function holdSession({ db, clock }: Context, caller: Caller, userId: string): Promise<number> {
  const session = sessionOf(caller, userId)
  const [row] = await db.query<{ user: string; expiresAt: Date; _confirmed: Date }>(
    sql`select "user", "expiresAt", "_confirmed" from "_Session" where "objectId" = ${session.objectId} for share`,
  )
  if (row?.user !== userId) throw refuse('invalidSessionToken')
  if (row.expiresAt <= clock.now()) throw refuse('sessionExpired')
  // The token that was renewed a moment ago still opens the session, without the proof that the new one came with.
  return Math.min(session.confirmedAt, row._confirmed.getTime())
}

function sessionOf(caller: Caller, userId: string): NonNullable<Caller['session']> {
  if (!caller.session) throw refuse('invalidSessionToken')
  if (caller.session.userId === userId) return caller.session
  throw new CountersignError('SessionMissing', `Cannot modify user ${userId.slice(0, 64)}.`)
}

/** The master key needs no proof. What it does is noted in the account's activity. */
function isOperator(caller: Caller): boolean {
  return caller.isMaster && !caller.isReadOnly
}

function isFresh({ config, clock }: Context, change: SensitiveChange, confirmedAt: number): boolean {
  const { within = config.confirmationLength } = ruleOf(change)
  return isNear(confirmedAt, clock.ms(), within * 1000)
}

async function refuseUnlessGuest(
  context: Context,
  change: SensitiveChange,
  userId: string,
  confirmedAt: number,
): Promise<void> {
  // A session that somebody else opened for the guest has never been confirmed.
  const isOwn = ruleOf(change).guests && confirmedAt > 0
  if (isOwn && (await isOnlyAnonymous(context, userId)) && !(await asksForMore(context, userId))) return
  throw refuse('reauthenticationRequired', undefined, {
    details: 'POST /auth/reauthenticate with a password, or with a signature for the purpose reauthenticate',
  })
}

/** For changes that need no recent proof as well: the contract's owner may be somebody else once it is deployed. */
export async function refuseUndeployed(
  { db }: Context,
  changes: readonly SensitiveChange[],
  userId: string,
): Promise<void> {
  if (!changes.some((change) => ruleOf(change).deployed)) return
  const provisional = await db.query(
    sql`select from countersign.wallets where "user" = ${userId} and provisional limit 1`,
  )
  if (provisional.length > 0) throw refuse('accountNotDeployed')
}
