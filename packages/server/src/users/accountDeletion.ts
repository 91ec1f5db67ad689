import { CountersignError, refuse, type WireFields } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { findHooks, runAfter, runBefore } from '../hooks/runHooks.ts'
import { recordActivity } from './activity.ts'
import { notifyOwner } from './email/notifyOwner.ts'
import { changeHolder } from './holders/changeHolder.ts'
import { keepAdminWithout } from './operators.ts'
import { admit, type Proven } from './sessions/admit.ts'
import { decodeUser, findUser, isLocked, lockUsers, type UserRow } from './UserRow.ts'

type Deletion = { due: Date; rperm: string[] | null; wperm: string[] | null; isByOperator: boolean }

/**
 * Hides an account and ends its sessions now, to be deleted for good when its time to restore it is over. It is locked
 * until then, which every sign-in method respects; its name, address and wallets stay taken. In a transaction that
 * holds the user. An operator's deletion is the operator's to undo, and the owner is not mailed how to restore it.
 */
export async function scheduleDeletion(
  context: Context,
  caller: Caller,
  userId: string,
  { isByOperator = false }: { isByOperator?: boolean } = {},
): Promise<void> {
  const { db, clock, config } = context
  const now = clock.now()
  const due = new Date(now.getTime() + config.accountDeletionGrace * 1000)
  await keepAdminWithout(context, userId)
  await askBeforeDelete(context, caller, await getUser(context, userId))
  await db.query(
    sql`
      insert into countersign.deletions ("user", asked, due, rperm, wperm, by_operator)
      select "objectId", ${now}, ${due}, "_rperm", "_wperm", ${isByOperator}::boolean from "_User" where "objectId" = ${userId}`,
  )
  await db.query(
    sql`update "_User" set "_rperm" = '{}', "_wperm" = '{}', "updatedAt" = ${now} where "objectId" = ${userId}`,
  )
  db.reportChange('_User')
  await changeHolder(context, userId, 'deletion')
  await recordActivity(context, caller, userId, 'deleteAccount', { due: due.toISOString() })
  if (!isByOperator) notifyOwner(context, userId, (say) => say('deletionScheduled', { time: due.toISOString() }))
}

export type Restoring = {
  /** Set if the owner asks for it. */
  isWanted: boolean
  /** Proof of the owner; absent if the second step has it. */
  first?: Proven | undefined
}

/**
 * Handles a sign-in to a locked account after its owner was proven: an account to be deleted is restored if the owner
 * asks for it, otherwise the error says so. `undefined` if the operator locked it, or the period is over.
 */
export async function restoreAccount(
  context: Context,
  caller: Caller,
  userId: string,
  { isWanted, first }: Restoring,
): Promise<UserRow | undefined> {
  const { db, clock } = context
  return db.transaction(async () => {
    await lockUsers(context, [userId])
    const now = clock.now()
    const [deletion] = await db.query<Deletion>(
      sql`
        select due, rperm, wperm, by_operator as "isByOperator" from countersign.deletions
        where "user" = ${userId} and due > ${now}`,
    )
    if (!deletion || deletion.isByOperator || (deletion.rperm?.length === 0 && deletion.wperm?.length === 0))
      return undefined
    if (!isWanted) throw pendingDeletion(deletion.due)
    // Before it is back: a password that was found out does not keep what its owner wanted gone.
    if (first) await admit(context, caller, userId, first, { restores: true })
    await dropDeletion(context, caller, userId, deletion)
    notifyOwner(context, userId, (say) => say('accountRestored'))
    return findUser(context, userId)
  })
}

/** Undoes an operator's deletion. The owner's own is theirs to undo. In a transaction that holds the user. */
export async function undoDeletion(context: Context, caller: Caller, userId: string): Promise<void> {
  const { db, clock } = context
  const [deletion] = await db.query<Deletion>(sql`
    select due, rperm, wperm, by_operator as "isByOperator" from countersign.deletions
    where "user" = ${userId} and due > ${clock.now()} and by_operator`)
  if (!deletion) throw refuse('operatorForbidden')
  await dropDeletion(context, caller, userId, deletion)
}

async function dropDeletion(context: Context, caller: Caller, userId: string, kept: Deletion): Promise<void> {
  const { db, clock } = context
  await db.query(sql`delete from countersign.deletions where "user" = ${userId}`)
  await db.query(sql`
    update "_User" set "_rperm" = ${kept.rperm}, "_wperm" = ${kept.wperm}, "updatedAt" = ${clock.now()}
    where "objectId" = ${userId}`)
  db.reportChange('_User')
  db.afterCommit(() => context.sessionCache.forgetUser(userId))
  await recordActivity(context, caller, userId, 'restoreAccount')
}

/** The same for a user that may be locked: the row as it is then. */
export async function restoreLocked(
  context: Context,
  caller: Caller,
  row: UserRow,
  restoring: Restoring,
): Promise<UserRow | undefined> {
  return isLocked(row) ? restoreAccount(context, caller, row.objectId, restoring) : row
}

/**
 * Keeps an account that is to be deleted hidden after the operator or a pending request changed its access lists: the
 * new lists apply when it is restored. Call it in the transaction of that change.
 */
export async function keepHidden({ db }: Context, userId: string): Promise<void> {
  const kept = await db.query(sql`
    update countersign.deletions d set rperm = u."_rperm", wperm = u."_wperm"
    from "_User" u
    where d."user" = ${userId} and u."objectId" = d."user"
    returning 1`)
  if (kept.length === 0) return
  await db.query(sql`update "_User" set "_rperm" = '{}', "_wperm" = '{}' where "objectId" = ${userId}`)
  db.reportChange('_User')
}

/** Deletes a user permanently, with all dependent rows. Hooks that ran at the owner's request do not run again. */
export async function removeUser(
  context: Context,
  caller: Caller,
  userId: string,
  { wasAsked = false }: { wasAsked?: boolean } = {},
): Promise<void> {
  const { db } = context
  await db.transaction(async () => {
    await lockUsers(context, [userId])
    const user = await getUser(context, userId)
    if (!wasAsked) {
      await keepAdminWithout(context, userId)
      await askBeforeDelete(context, caller, user)
    }
    await db.query(sql`delete from "_User" where "objectId" = ${userId}`)
    await db.query(sql`delete from "_Join:users:_Role" where "relatedId" = ${userId}`)
    db.reportChange('_User', '_Session')
    db.afterCommit(() => context.sessionCache.forgetUser(userId))
    await runAfter(context, caller, { hook: 'afterDelete', className: '_User', object: user })
  })
}

/** At most so many in one go: each may have hooks. The rest follows in the next sweep. */
const mostAtOnce = 1_000

/** Deletes the accounts for good whose time is over. Several servers may do so at once. */
export async function removeDueAccounts(context: Context): Promise<void> {
  const { db, clock } = context
  const caller: Caller = { isMaster: true, isLocalApp: false, ipAddress: '127.0.0.1' }
  const isDue = (userId: string) => db.query(sql`${dueOf(clock.now())} and "user" = ${userId}`)
  const due = await db.query<{ user: string }>(sql`${dueOf(clock.now())} order by due limit ${mostAtOnce}`)
  for (const { user } of due) {
    await db.transaction(async () => {
      await lockUsers(context, [user])
      if ((await isDue(user)).length > 0) await removeUser(context, caller, user, { wasAsked: true })
    })
  }
}

const dueOf = (now: Date) => sql`select "user" from countersign.deletions where due <= ${now}`

async function getUser(context: Context, userId: string): Promise<WireFields> {
  const row = await findUser(context, userId)
  if (!row) throw new CountersignError('ObjectNotFound', 'Object not found.')
  return decodeUser(context.classes.get('_User'), row)
}

async function askBeforeDelete(context: Context, caller: Caller, object: WireFields): Promise<void> {
  const handlers = findHooks(context, 'beforeDelete', '_User')
  if (handlers) await runBefore(handlers, caller, { hook: 'beforeDelete', className: '_User', object })
}

/** Shown only to a caller who has shown that the account is theirs. */
function pendingDeletion(due: Date): CountersignError {
  const time = due.toISOString()
  return refuse(
    'accountDeletionPending',
    { day: time.slice(0, 10), time },
    { details: 'Sign in again with restoreAccount: true to keep the account.' },
  )
}
