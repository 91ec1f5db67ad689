import { refuse } from '@countersign/protocol'
import type { ClassSchema } from '../../classes/ClassSchema.ts'
import { joinTableName } from '../../classes/names.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { isUniqueViolation } from '../../db/databaseErrors.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { decrypt, hashToken } from '../../keys/secrets.ts'
import { recordActivity } from '../../users/activity.ts'
import { signsInByCode } from '../../users/email/emailChanges.ts'
import { createMailToken, expiredLink } from '../../users/email/mailTokens.ts'
import { notifyOwner } from '../../users/email/notifyOwner.ts'
import { changeHolder } from '../../users/holders/changeHolder.ts'
import { returnSetAside, type SetAside } from '../../users/holders/setAside.ts'
import { requireFreshProof } from '../../users/sensitiveChanges.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import { lockUsers } from '../../users/UserRow.ts'
import { identitySignsIn } from '../providers/identities.ts'
import { requireRemainingMethod } from '../signInMethods.ts'
import { choosePrimary, refreshAddresses } from '../wallets/wallets.ts'
import { keptTables, type MergeUndo } from './mergeAccounts.ts'
import { pointerIn, replacePointer, undoSpread } from './moveFields.ts'

type MergeRow = {
  objectId: string
  from: string
  into: string
  merged: Date | null
  undone: Date | null
  undo_until: Date | null
  undo: Buffer | null
}

/** Undoes a merge: the other account returns with everything still free and still here. All or nothing. */
async function undoMerge(context: Context, caller: Caller, objectId: string): Promise<Record<never, never>> {
  const session = requireSession(caller)
  const intoId = session.userId
  await requireFreshProof(context, caller, 'undoMerge', intoId)
  await context.classes.refresh()
  return requireRemainingMethod(context, caller, 'undoMerge', intoId, async () => {
    await takeBack(context, caller, objectId, { into: intoId, keep: session.objectId })
    return {}
  })
}

/**
 * Undoes a merge by the link mailed to the owner of the merged account. The person who merged it had a proof, so sign-in
 * methods added in the window before the merge end, as with the undo of an address change. Returns the secret for a new
 * password.
 */
async function undoMergeByLink(context: Context, caller: Caller, token: string): Promise<{ resetToken: string }> {
  await context.classes.refresh()
  return context.db.transaction(async () => returnToOwner(context, await followMergeLink(context, caller, token)))
}

/** Leaves an account that came back to the reader of its address. In the transaction that brought it back. */
export async function returnToOwner(context: Context, { from, undo }: TakenBack): Promise<{ resetToken: string }> {
  const { db, config, clock } = context
  const since = new Date(undo.reaches ?? clock.ms())
  await changeHolder(context, from, 'merge undone by its link, account that returns', { since })
  await choosePrimary(context, from)
  await refreshAddresses(context, from)
  const [user] = await db.query<{ email: string | null }>(
    sql`select email from "_User" where "objectId" = ${from} and "emailVerified"`,
  )
  if (!user || user.email === null) throw expiredLink()
  const { resetTokenValidityDuration } = config.passwordPolicy
  const reset = { user: from, email: user.email }
  return { resetToken: await createMailToken(context, 'reset', reset, resetTokenValidityDuration) }
}

/** Uses a link up and brings its account back as it was. In a transaction. */
export async function followMergeLink(context: Context, caller: Caller, token: string): Promise<TakenBack> {
  const { db, clock } = context
  const [link] = await db.query<{ merge: string; expires: Date }>(
    sql`delete from countersign.merge_links where hash = ${hashToken(token)} returning merge, expires`,
  )
  if (!link || link.expires <= clock.now()) throw expiredLink()
  return takeBack(context, caller, link.merge, { returnsRemoved: true, keep: null })
}

export type TakenBack = { from: string; undo: MergeUndo }

type TakeBack = {
  /** Account that the merge must have gone into. */
  into?: string
  /** Session of that account that stays. */
  keep: string | null
  /** Also restores wallets and passkeys that were removed from the account they had moved to. */
  returnsRemoved?: boolean
}

/** Merges of merges that an owner takes back at once. */
const mostMerges = 10

/** Runs in a transaction. Neither further merges nor removing what moved can block the owner. */
export async function takeBack(
  context: Context,
  caller: Caller,
  objectId: string,
  { into, keep, returnsRemoved = false }: TakeBack,
  depth = 0,
): Promise<TakenBack> {
  const { db, clock, keys } = context
  const now = clock.now()
  const [row] = await db.query<MergeRow>(
    sql`select * from countersign.merges where "objectId" = ${objectId} for update`,
  )
  if (!row?.merged || (into !== undefined && row.into !== into)) throw refuse('mergeNotFound')
  if (row.undone) throw refuse('mergeUndone')
  if (!row.undo_until || row.undo_until <= now || !row.undo) throw refuse('mergeUndoExpired')
  const text = decrypt(keys, 'merge undo', row.undo)
  if (text === undefined) throw refuse('mergeUndoUnreadable')
  const undo = JSON.parse(text) as MergeUndo
  const { from: fromId, into: intoId } = row

  if ((await lockUsers(context, [intoId])) === 0 && depth < mostMerges) {
    const [later] = await db.query<{ objectId: string }>(sql`
      select "objectId" from countersign.merges
      where "from" = ${intoId} and merged is not null and undone is null and undo_until > ${now}
      order by merged desc
      limit 1`)
    if (later) await takeBack(context, caller, later.objectId, { keep: null, returnsRemoved }, depth + 1)
  }
  await restoreUser(context, undo.row, now)
  // A thief takes them out of the other account to keep the owner from them.
  if (returnsRemoved) await returnSetAside(context, intoId, movedBy(undo))
  await moveBack(context, intoId, fromId, undo)
  await revertTransfer(context, { objectId, from: fromId, into: intoId })
  // By a mailed link the owner chooses a new password.
  if (!returnsRemoved && (await countSignInMethods(context, fromId)) === 0) throw refuse('mergeUndoWithoutMethod')
  await db.query(sql`update countersign.merges set undone = ${now}, undo = null where "objectId" = ${objectId}`)
  await db.query(sql`delete from countersign.merge_links where merge = ${objectId}`)
  await db.query(sql`delete from countersign.reserved_names where "user" = ${fromId}`)
  for (const userId of [intoId, fromId]) {
    await choosePrimary(context, userId)
    await refreshAddresses(context, userId)
    await recordActivity(context, caller, userId, 'undoMerge', { merge: objectId, from: fromId, into: intoId })
    notifyOwner(context, userId, (say) => say('mergeUndone'))
  }
  // Sessions that the returned wallets and passkeys opened in this account end.
  await changeHolder(context, intoId, 'merge undone, account that stays', { keep })
  return { from: fromId, undo }
}

/** Sign-in methods that moved with the account. */
function movedBy({ wallets, passkeys, identities = [] }: MergeUndo): SetAside {
  return {
    wallets: sql`"objectId" = any(${wallets})`,
    passkeys: sql`"objectId" = any(${passkeys})`,
    identities: sql`(provider || ' ' || id) = any(${identities.map(({ provider, id }) => `${provider} ${id}`)})`,
    // Factors do not move.
    factors: sql`false`,
  }
}

/**
 * Restores the row as it was, including columns unknown here. The email address and the id of a guest return unless
 * somebody took them since.
 */
async function restoreUser({ db }: Context, row: string, now: Date): Promise<void> {
  try {
    const kept = sql`${sql.param(row)}::jsonb`
    // The id returns to the account that had it.
    await db.query(sql`delete from countersign.retired_users where id = ${kept} ->> 'objectId'`)
    await db.query(sql`
      insert into "_User"
      select restored.* from jsonb_populate_record(null::"_User",
        ${kept} || jsonb_build_object('updatedAt', ${now}::timestamptz)
          || case when exists (select from "_User" where "_email_key" = ${kept} ->> '_email_key')
            then '{"email":null,"_email_key":null,"emailVerified":null}'::jsonb else '{}' end
          || case when exists (select from "_User" u
              where u."_anonymous" = (jsonb_populate_record(null::"_User", ${kept}))."_anonymous")
            then '{"_anonymous":null}'::jsonb else '{}' end) restored`)
  } catch (error) {
    if (isUniqueViolation(error, '_User_username')) {
      throw refuse('mergeUsernameTaken')
    }
    if (isUniqueViolation(error, '_User_email')) {
      throw refuse('mergeEmailTaken')
    }
    throw error
  }
}

/** Moves back everything that is still here. A copied field stays if it was changed since. */
async function moveBack({ db, classes }: Context, intoId: string, fromId: string, undo: MergeUndo): Promise<void> {
  // Linked when it was linked first: an undo that follows goes by that.
  const times = sql`${sql.param(JSON.stringify(undo.times ?? {}))}::jsonb`
  const timeOf = (id: Fragment, present: Fragment) => sql`coalesce((${times} ->> ${id})::timestamptz, ${present})`
  await db.query(sql`
    update countersign.wallets set "user" = ${fromId}, is_primary = "objectId" = any(${undo.primary}),
      linked = ${timeOf(sql`"objectId"`, sql`linked`)}
    where "user" = ${intoId} and "objectId" = any(${undo.wallets})`)
  await db.query(sql`
    update countersign.passkeys set "user" = ${fromId}, created = ${timeOf(sql`"objectId"`, sql`created`)}
    where "user" = ${intoId} and "objectId" = any(${undo.passkeys})`)
  for (const { provider, id } of undo.identities ?? []) {
    await db.query(sql`
      update countersign.identities set "user" = ${fromId},
        linked = ${timeOf(sql`(provider || ' ' || id)`, sql`linked`)}
      where "user" = ${intoId} and provider = ${provider} and id = ${id}`)
  }
  for (const row of undo.additional ?? []) {
    await db.query(sql`
      insert into countersign.identities
      select restored.* from jsonb_populate_record(null::countersign.identities, ${row}::jsonb) restored
      on conflict do nothing`)
  }
  for (const { table, row } of undo.rows ?? []) {
    if (!keptTables.includes(table)) continue
    const place = sql`countersign.${sql.id(table)}`
    await db.query(sql`
      insert into ${place}
      select restored.* from jsonb_populate_record(null::${place}, ${row}::jsonb) restored
      on conflict do nothing`)
  }
  db.reportChange('_User')
  const schema = classes.get('_User')
  const fields = undo.fields.filter((name) => schema.fields.has(name))
  if (fields.length === 0) return
  // As text: points have no equality of their own.
  const sets = fields.map((name) => {
    const field = sql.id(name)
    return sql`${field} = case when a.${field}::text is distinct from f.${field}::text then a.${field} end`
  })
  await db.query(sql`
    update "_User" a set ${sql.join(sets)}
    from "_User" f
    where a."objectId" = ${intoId} and f."objectId" = ${fromId}`)
}

/** How many sign-in methods an account has: its password, its wallets, its passkeys, its identities, a code by mail, a guest's id. */
async function countSignInMethods(context: Context, userId: string): Promise<number> {
  const [row] = await context.db.query<{ count: number }>(sql`
    select (
      (select count(*) from countersign.wallets where "user" = ${userId})
      + (select count(*) from countersign.passkeys where "user" = ${userId})
      + (case when ${identitySignsIn(context, userId)} then 1 else 0 end)
      + (select count(*) from "_User" u where u."objectId" = ${userId} and ${signsInByCode(context.config)})
      + (select count("_anonymous") from "_User" where "objectId" = ${userId})
      + (select count("_password_hash") from "_User" where "objectId" = ${userId})
    )::int as count`)
  return row?.count ?? 0
}

type Merge = { objectId: string; from: string; into: string }

/** Undoes the changes of `transferObjects` that are still as it left them. */
async function revertTransfer(context: Context, merge: Merge): Promise<void> {
  const { db, classes, roleCache } = context
  const changed = await db.query<{ class_name: string; field: string }>(
    sql`select distinct class_name, field from countersign.merge_changes where merge = ${merge.objectId}`,
  )
  for (const { class_name, field } of changed) {
    const schema = classes.find(class_name)
    if (!schema) continue
    if (schema.distributed && !schema.relations.has(field)) await undoSpread(db, schema, field, merge)
    else {
      const statement = writeUndo(schema, field, merge)
      if (!statement) continue
      await db.query(statement)
    }
    db.reportChange(class_name)
  }
  await db.query(sql`delete from countersign.merge_changes where merge = ${merge.objectId}`)
  db.afterCommit(() => roleCache.forgetAll())
}

function writeUndo(schema: ClassSchema, field: string, merge: Merge): Fragment | undefined {
  const { className } = schema
  const table = sql.table(className)
  const [from, into] = [sql`${sql.param(merge.from)}::text`, sql`${sql.param(merge.into)}::text`]
  const changes = sql`countersign.merge_changes c
    where c.merge = ${merge.objectId} and c.class_name = ${className} and c.field = ${field}`
  const changed = sql`select c."objectId" from ${changes}`
  if (field === '_rperm' || field === '_wperm') {
    const list = sql.id(field)
    return sql`
      update ${table} as o set ${list} =
        array_append(case when c.had_both then o.${list} else array_remove(o.${list}, ${into}) end, ${from})
      from ${changes} and o."objectId" = c."objectId" and ${into} = any(o.${list})`
  }
  const own = field.endsWith(' of its own')
  const name = own ? field.slice(0, -' of its own'.length) : field
  if (schema.relations.has(name)) {
    const join = sql.table(joinTableName(className, name))
    const [mine, other] = own ? [sql`"owningId"`, sql`"relatedId"`] : [sql`"relatedId"`, sql`"owningId"`]
    // An entry that was removed since then stays removed.
    return sql`
      with present as (select ${other} as id from ${join} where ${mine} = ${into} and ${other} in (${changed})),
        gone as (delete from ${join} where ${mine} = ${into} and ${other} in (${changed} and not c.had_both))
      insert into ${join} (${mine}, ${other}) select ${from}, id from present
      on conflict do nothing`
  }
  const column = sql.id(name)
  const type = schema.fields.get(name)?.type
  if (type === 'Pointer') {
    return sql`update ${table} set ${column} = ${from} where ${column} = ${into} and "objectId" in (${changed})`
  }
  if (type !== 'Array') return undefined
  // If the list held both, the owner of each entry is unknown.
  return sql`
    update ${table} as o set ${column} = ${replacePointer(sql`o.${column}`, merge.into, merge.from)}
    where "objectId" in (${changed} and not c.had_both)
      and ${column} @> jsonb_build_array(${pointerIn(merge.into)}::jsonb)`
}

export const undoMergeEndpoint = defineEndpoint('undoMerge', {
  handle: ({ context, caller, params }) => undoMerge(context, caller, params.objectId),
})

export const undoMergeByLinkEndpoint = defineEndpoint('undoMergeByLink', {
  handle: ({ context, caller, input }) => undoMergeByLink(context, caller, input.token),
})
