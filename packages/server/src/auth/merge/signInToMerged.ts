import { CountersignError, refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { decrypt } from '../../keys/secrets.ts'
import { checkPassword } from '../../users/passwords/hashPassword.ts'
import { nameKey } from '../../users/usernames.ts'
import type { MergeUndo } from './mergeAccounts.ts'
import { takeBack } from './undoAccountMerge.ts'

type PendingRow = { objectId: string; undo: Buffer | null; undo_until: Date }

type Pending = { objectId: string; undoUntil: Date; undo: MergeUndo }

type Input = { username?: string | null; email?: string | null; password: string; restoreAccount?: boolean | undefined }

/**
 * Sign-in by the name and password of an account that was merged away, for an owner without another method. Fails with
 * that information, or undoes the merge if the owner asks for it. Returns false if the password belongs to no such
 * account. Call it after the refused sign-in, so that wrong passwords were counted.
 */
export async function restoreMergedByPassword(context: Context, caller: Caller, input: Input): Promise<boolean> {
  const name = input.username ?? input.email
  if (!name) return false
  const [row] = await context.db.query<PendingRow>(sql`
    select m.* from countersign.merges m
    join countersign.reserved_names r on r."user" = m."from"
    where r.key = ${nameKey(name)} and m.merged is not null and m.undone is null
      and m.undo_until > ${context.clock.now()}
    limit 1`)
  const merge = row && openPending(context, row)
  if (!merge || !(await checkPassword(passwordOf(merge.undo), input.password))) return false
  return takeBackFor(context, caller, merge, input.restoreAccount === true)
}

/**
 * The same by a wallet that moved with its account, if the target account requires more than the owner has; and by one
 * that a thief unlinked before the merge. In a chain of merges the first counts: the account was the owner's there, and
 * nothing that a thief put in between may block the owner.
 */
export async function restoreMergedByWallet(
  context: Context,
  caller: Caller,
  key: string,
  isWanted: boolean,
): Promise<boolean> {
  const { db, clock } = context
  const rows = await db.query<PendingRow & { wallet: string | null }>(sql`
    select m.*, w."objectId" as wallet
    from countersign.merged_wallets k
    join countersign.merges m on m."objectId" = k.merge
    left join countersign.wallets w on w.key = k.key
    where k.key = ${key} and m.merged is not null and m.undone is null and m.undo_until > ${clock.now()}
      and (not k.is_contract or w.key is not null
        or exists (select from countersign.unlinked_wallets u where u.key = k.key))
    order by m.merged
    limit 10`)
  for (const row of rows) {
    const merge = openPending(context, row)
    if (!merge) continue
    // Linked to another account since then: that one is the wallet's now.
    if (row.wallet !== null && !merge.undo.wallets.includes(row.wallet)) continue
    return takeBackFor(context, caller, merge, isWanted, findSetAside(merge.undo, key)?.reaches)
  }
  return false
}

/** The wallet as it was unlinked from the account before the merge. */
function findSetAside({ rows = [] }: MergeUndo, key: string): { reaches: string } | undefined {
  const kept = rows.filter(({ table }) => table === 'unlinked_wallets').map(({ row }) => JSON.parse(row))
  return kept.find((wallet) => wallet.key === key && wallet.reaches !== null)
}

async function takeBackFor(
  context: Context,
  caller: Caller,
  merge: Pending,
  isWanted: boolean,
  /** A factor that was turned on since then ends when the account is back. */
  reaches?: string,
): Promise<boolean> {
  // One factor brings no account back that asks for two: its owner has the mailed link.
  if (asksForMore(merge.undo, reaches)) return false
  const time = merge.undoUntil.toISOString()
  if (!isWanted) {
    throw refuse(
      'accountMerged',
      { day: time.slice(0, 10), time },
      { details: 'Sign in again with restoreAccount: true to undo the merge.' },
    )
  }
  await context.classes.refresh()
  await context.db.transaction(() => takeBack(context, caller, merge.objectId, { keep: null, returnsRemoved: true }))
  return true
}

function openPending({ keys }: Context, { objectId, undo, undo_until }: PendingRow): Pending | undefined {
  const text = undo ? decrypt(keys, 'merge undo', undo) : undefined
  return text === undefined ? undefined : { objectId, undoUntil: undo_until, undo: JSON.parse(text) as MergeUndo }
}

const passwordOf = ({ row }: MergeUndo) =>
  (JSON.parse(row) as { _password_hash?: string | null })._password_hash ?? undefined

function asksForMore({ rows = [], additional = [] }: MergeUndo, reaches?: string): boolean {
  const factors = rows.filter(({ table }) => table === 'second_factors').map(({ row }) => JSON.parse(row))
  const counts = (time: string) => reaches === undefined || new Date(time) < new Date(reaches)
  return (
    additional.length > 0 ||
    factors.some(
      ({ confirmed, by_passkey, created }) =>
        (confirmed !== null && counts(confirmed)) || (by_passkey && counts(created)),
    )
  )
}

/** Returns true if a refused sign-in may be for an account that was merged away. */
export const mayBeMerged = (error: unknown) =>
  error instanceof CountersignError && error.reason === 'invalidCredentials'
