import { CountersignError, type MergePreview, refuse } from '@countersign/protocol'
import { newObjectId } from '../classes/newObjectId.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { findUser } from '../users/findUser.ts'
import { needSession } from '../users/needSession.ts'
import { requireFreshProof, sensitiveChanges } from '../users/sensitiveChanges.ts'
import { isLocked, type UserRow } from '../users/UserRow.ts'
import { accountKey } from './Account.ts'
import { listWaysInOf } from './listWaysIn.ts'
import { mergeFields } from './mergeFields.ts'
import { type ProofInput, proveAccount } from './proveAccount.ts'

/** Seconds within which both accounts must be proven. */
const mergeProofLength = sensitiveChanges.merge.within

/**
 * Takes the proof of the other account, by one of its wallets, and tells what a merge into the caller's account
 * would move. Both sides are proven by now; nothing has moved.
 */
export async function previewMerge(context: Context, caller: Caller, input: ProofInput): Promise<MergePreview> {
  const { userId } = needSession(caller)
  await requireFreshProof(context, caller, 'merge', userId)
  const { account } = await proveAccount(context, caller, 'merge', input)
  const wallet = accountKey(account)
  const from = await findOwner(context, wallet)
  const into = await findUser(context, userId)
  if (!into) throw refuse('invalidSessionToken')
  if (!from) throw refuse('walletWithoutAccount')
  if (from.objectId === userId) throw refuse('walletLinkedAlready')
  refuseLocked(from)

  const objectId = newObjectId()
  const now = context.clock.now()
  const expires = new Date(now.getTime() + mergeProofLength * 1000)
  await context.db.query({
    text: `insert into countersign.merges ("objectId", "from", "into", wallet, proven, expires) values ($1, $2, $3, $4, $5, $6)`,
    values: [objectId, from.objectId, userId, wallet, now, expires],
  })
  const { wallets, passkeys } = await listWaysInOf(context, from.objectId)
  const { copied, kept } = mergeFields(context.classes.get('_User'), from, into)
  const [sessions] = await context.db.query<{ count: number }>({
    text: 'select count(*)::int as count from "_Session" where "user" = $1 and "expiresAt" > $2',
    values: [from.objectId, now],
  })
  return {
    objectId,
    expiresAt: expires.toISOString(),
    from: { objectId: from.objectId, username: from.username },
    into: { objectId: userId, username: into.username },
    wallets,
    passkeys,
    fields: copied,
    kept,
    sessionsEnded: sessions?.count ?? 0,
  }
}

/** Whom the operator locked out does not come back in through another account. */
export function refuseLocked(user: UserRow): void {
  if (isLocked(user)) throw new CountersignError('OperationForbidden', 'That account is locked.', { status: 403 })
}

async function findOwner(context: Context, wallet: string): Promise<UserRow | undefined> {
  const [row] = await context.db.query<{ user: string }>({
    text: 'select "user" from countersign.wallets where key = $1',
    values: [wallet],
  })
  return row && findUser(context, row.user)
}
