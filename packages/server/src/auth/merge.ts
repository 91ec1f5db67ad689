import { refuse } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { seal } from '../context/seal.ts'
import { compile, sql } from '../db/sql.ts'
import { findUser } from '../users/findUser.ts'
import { needSession } from '../users/needSession.ts'
import { noteActivity } from '../users/noteActivity.ts'
import { notifyOwner, sendNotice } from '../users/notifyOwner.ts'
import { endSessions } from '../users/revokeOtherSessions.ts'
import { makeSensitiveChange, requireFreshProof } from '../users/sensitiveChanges.ts'
import type { UserRow } from '../users/UserRow.ts'
import { choosePrimary } from './choosePrimary.ts'
import { handOverObjects } from './handOverObjects.ts'
import { mergeFields } from './mergeFields.ts'
import { refuseLocked } from './previewMerge.ts'
import { refreshAddresses } from './refreshAddresses.ts'

const undoWindow = 24 * 3600_000

/** What an undo needs: the other account's whole row as the database writes it, and what moved. */
export type MergeUndo = { row: string; wallets: string[]; primary: string[]; passkeys: string[]; fields: string[] }

/**
 * Carries out a merge that was previewed: everything of the other account moves into the caller's, in one
 * transaction, and the other account is gone. Both proofs must be no older than five minutes.
 */
export async function merge(context: Context, caller: Caller, objectId: string): Promise<{ undoUntil: string }> {
  const { userId: intoId } = needSession(caller)
  await requireFreshProof(context, caller, 'merge', intoId)
  const { db, clock, classes, keys } = context
  // Another server may have added fields: they must be known to be copied.
  await classes.refresh()
  const [planned] = await db.query<{ from: string }>({
    text: 'select "from" from countersign.merges where "objectId" = $1 and "into" = $2',
    values: [objectId, intoId],
  })
  if (!planned) throw refuse('mergeNotFound')
  // Both are held: of two merges at once that touch one account, the second finds what the first left.
  const held = { users: [planned.from] }
  return makeSensitiveChange(context, caller, 'merge', intoId, () => carryOut(planned.from), held)

  async function carryOut(fromId: string): Promise<{ undoUntil: string }> {
    const now = clock.now()
    const undoUntil = new Date(now.getTime() + undoWindow)
    const from = await findUser(context, fromId)
    const into = await findUser(context, intoId)
    const begun = await db.query({
      text: `update countersign.merges set merged = $2, undo_until = $3
             where "objectId" = $1 and merged is null and expires > $2
               and exists (select from countersign.wallets where key = merges.wallet and "user" = merges."from") returning 1`,
      values: [objectId, now, undoUntil],
    })
    if (begun.length === 0 || !from || !into) {
      throw refuse('mergeExpired')
    }
    refuseLocked(from)

    await handOverObjects(context, { objectId, from: from.objectId, into: intoId })
    const undo = await move(context, from, into, now)
    await db.query({
      text: 'update countersign.merges set undo = $2 where "objectId" = $1',
      values: [objectId, seal(keys, 'merge undo', JSON.stringify(undo))],
    })
    await endSessions(context, from.objectId, null)
    await db.query({ text: 'delete from "_User" where "objectId" = $1', values: [from.objectId] })
    db.afterCommit(() => context.sessionCache.forgetUser(from.objectId))
    await choosePrimary(context, intoId)
    await refreshAddresses(context, intoId)

    const moved = {
      merge: objectId,
      undoUntil: undoUntil.toISOString(),
      wallets: undo.wallets.length,
      passkeys: undo.passkeys.length,
    }
    await noteActivity(context, caller, intoId, 'merge', { ...moved, from: from.objectId, username: from.username })
    await noteActivity(context, caller, from.objectId, 'mergedInto', {
      ...moved,
      into: intoId,
      username: into.username,
    })
    tellOwners(context, from, into)
    return { undoUntil: undoUntil.toISOString() }
  }
}

/** What moves is linked to its new account now: an undo of a change of address goes by that. */
async function move({ db, classes }: Context, from: UserRow, into: UserRow, now: Date): Promise<MergeUndo> {
  const ids = [from.objectId, into.objectId]
  const [kept] = await db.query<{ row: string }>({
    text: 'select row_to_json(_row)::text as row from "_User" _row where "objectId" = $1',
    values: [from.objectId],
  })
  if (!kept) throw new Error('the account that is held is not there')
  const primary = await db.query<{ objectId: string }>({
    text: 'select "objectId" from countersign.wallets where "user" = $1 and is_primary',
    values: [from.objectId],
  })
  const wallets = await db.query<{ objectId: string }>({
    text: `update countersign.wallets w set "user" = $2, linked = $3, is_primary = w.is_primary and not exists (
             select from countersign.wallets p where p."user" = $2 and p.namespace = w.namespace and p.is_primary
           ) where w."user" = $1 returning "objectId"`,
    values: [...ids, now],
  })
  const passkeys = await db.query<{ objectId: string }>({
    text: 'update countersign.passkeys set "user" = $2, created = $3 where "user" = $1 returning "objectId"',
    values: [...ids, now],
  })
  const { copied } = mergeFields(classes.get('_User'), from, into)
  if (copied.length > 0) {
    const sets = copied.map((name) => sql`${sql.id(name)} = f.${sql.id(name)}`)
    await db.query(
      compile(sql`update "_User" a set ${sql.join(sets)} from "_User" f
                  where a."objectId" = ${into.objectId} and f."objectId" = ${from.objectId}`),
    )
  }
  return { row: kept.row, wallets: idsOf(wallets), primary: idsOf(primary), passkeys: idsOf(passkeys), fields: copied }
}

function idsOf(rows: { objectId: string }[]): string[] {
  return rows.map((row) => row.objectId)
}

function tellOwners(context: Context, from: UserRow, into: UserRow): void {
  const names = { from: from.username, into: into.username }
  notifyOwner(context, into.objectId, (say) => say('mergedInto', names))
  const { username, email, emailVerified, language } = from
  if (email === null || !emailVerified) return
  const owner = { username, email, language }
  context.db.afterCommit(() =>
    context.background.run('notify owner', () => sendNotice(context, owner, (say) => say('mergedAway', names))),
  )
}
