import { CountersignError } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { unseal } from '../context/seal.ts'
import { isUniqueViolation } from '../db/databaseErrors.ts'
import { compile, sql } from '../db/sql.ts'
import { needSession } from '../users/needSession.ts'
import { noteActivity } from '../users/noteActivity.ts'
import { notifyOwner } from '../users/notifyOwner.ts'
import { endSessions } from '../users/revokeOtherSessions.ts'
import { requireFreshProof } from '../users/sensitiveChanges.ts'
import { choosePrimary } from './choosePrimary.ts'
import { countWaysIn } from './countWaysIn.ts'
import { handBackObjects } from './handBackObjects.ts'
import { keepLastWayIn } from './keepLastWayIn.ts'
import type { MergeUndo } from './merge.ts'
import { refreshAddresses } from './refreshAddresses.ts'

type MergeRow = { from: string; merged: Date | null; undone: Date | null; undo_until: Date | null; undo: Buffer | null }

/** Takes a merge back: the other account returns with what is still free and still here. All of it or nothing. */
export async function undoMerge(context: Context, caller: Caller, objectId: string): Promise<Record<never, never>> {
  const session = needSession(caller)
  const { db, clock, keys } = context
  const intoId = session.userId
  await requireFreshProof(context, caller, 'undoMerge', intoId)
  await context.classes.refresh()
  return keepLastWayIn(context, caller, 'undoMerge', intoId, async () => {
    const now = clock.now()
    const [row] = await db.query<MergeRow>({
      text: 'select * from countersign.merges where "objectId" = $1 and "into" = $2 for update',
      values: [objectId, intoId],
    })
    if (!row?.merged) throw new CountersignError('ObjectNotFound', 'There is no such merge.')
    if (row.undone) throw refuse('This merge was undone already.')
    if (!row.undo_until || row.undo_until <= now || !row.undo) throw refuse('The time to undo this merge is over.')
    const text = unseal(keys, 'merge undo', row.undo)
    if (text === undefined) throw refuse('This merge can no longer be undone: the secret of the server has changed.')
    const undo = JSON.parse(text) as MergeUndo

    await restoreUser(context, undo.row, now)
    await moveBack(context, intoId, row.from, undo)
    await handBackObjects(context, { objectId, from: row.from, into: intoId })
    if ((await countWaysIn(context, row.from)) === 0) {
      throw refuse('Nothing would lead into the other account: its wallets and passkeys are not yours any more.')
    }
    await db.query({
      text: 'update countersign.merges set undone = $2, undo = null where "objectId" = $1',
      values: [objectId, now],
    })
    for (const userId of [intoId, row.from]) {
      await choosePrimary(context, userId)
      await refreshAddresses(context, userId)
      await noteActivity(context, caller, userId, 'undoMerge', { merge: objectId, from: row.from, into: intoId })
      notifyOwner(context, userId, (say) => say('mergeUndone'))
    }
    // What the returned wallets and passkeys opened while they led into this account ends with that.
    await endSessions(context, intoId, session.objectId)
    return {}
  })
}

function refuse(sentence: string): CountersignError {
  return new CountersignError('OperationForbidden', sentence, { status: 403 })
}

/** The row as it was, columns that no one here knows of included. The e-mail address returns unless somebody took it meanwhile. */
async function restoreUser({ db }: Context, row: string, now: Date): Promise<void> {
  try {
    await db.query({
      text: `insert into "_User" select restored.* from jsonb_populate_record(null::"_User",
               $1::jsonb || jsonb_build_object('updatedAt', $2::timestamptz)
               || case when exists (select from "_User" where "_email_key" = $1::jsonb ->> '_email_key')
                    then '{"email":null,"_email_key":null,"emailVerified":null}'::jsonb else '{}' end) restored`,
      values: [row, now],
    })
  } catch (error) {
    if (isUniqueViolation(error, '_User_username')) {
      throw new CountersignError(
        'UsernameTaken',
        'The name of the other account was taken meanwhile, so it cannot come back.',
        { status: 409 },
      )
    }
    if (isUniqueViolation(error, '_User_email')) {
      throw new CountersignError(
        'EmailTaken',
        'The e-mail address of the other account was taken just now. Try again.',
        { status: 409 },
      )
    }
    throw error
  }
}

/** What moved and is still here goes back. A copied field stays where it was changed since. */
async function moveBack({ db, classes }: Context, intoId: string, fromId: string, undo: MergeUndo): Promise<void> {
  await db.query({
    text: `update countersign.wallets set "user" = $2, is_primary = "objectId" = any($4) where "user" = $1 and "objectId" = any($3)`,
    values: [intoId, fromId, undo.wallets, undo.primary],
  })
  await db.query({
    text: 'update countersign.passkeys set "user" = $2 where "user" = $1 and "objectId" = any($3)',
    values: [intoId, fromId, undo.passkeys],
  })
  const schema = classes.get('_User')
  const fields = undo.fields.filter((name) => schema.fields.has(name))
  if (fields.length === 0) return
  // As text: points have no equality of their own.
  const sets = fields.map((name) => {
    const field = sql.id(name)
    return sql`${field} = case when a.${field}::text is not distinct from f.${field}::text then null else a.${field} end`
  })
  await db.query(
    compile(
      sql`update "_User" a set ${sql.join(sets)} from "_User" f where a."objectId" = ${intoId} and f."objectId" = ${fromId}`,
    ),
  )
}
