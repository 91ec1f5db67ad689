import { setTimeout as pause } from 'node:timers/promises'
import { CountersignError } from '@countersign/protocol'
import type { Database } from '../../db/Database.ts'
import { isConflict, isLockTimeout } from '../../db/databaseErrors.ts'
import { type Fragment, json, sql } from '../../db/sql.ts'
import { classesChannel, findClass, lockClass } from '../applySteps.ts'
import { type ClassSchema, tableOf } from '../ClassSchema.ts'
import { joinTableName, shortenName } from '../names.ts'
import { abandonMove, copyOf, notesOf } from './abandonMove.ts'
import { matchColumns, matchIndexes } from './copyShape.ts'
import { describeLayout, findLayout, type Layout, sameLayout, type WantedLayout } from './Layout.ts'
import { createReadView, dropReadView } from './readView.ts'
import { runInTurn } from './spreadTable.ts'
import { addMonths, addParts, guardIds, layoutClause } from './writeTable.ts'

export type MoveProgress = {
  step: 'copying' | 'indexing' | 'waiting' | 'done'
  copied: number
  /** Estimate of the database. */
  total: number
}

export type MoveOptions = {
  report?: (progress: MoveProgress) => void
  /** Rows in one transaction. */
  batch?: number
  signal?: AbortSignal | undefined
}

/** Changes that may be left when the class is locked: they are copied while everybody waits. */
const mostLeft = 2_000

/** How long (s) others wait for a lock that this one waits for. */
const lockTimeout = 1

/**
 * Brings the table of a class into another layout while everybody reads and writes it. Rows are copied in batches by
 * their id, and a trigger notes the objects that change in that time, which are copied again. At the end the copy takes
 * the place of the table under a short lock. Each step is a transaction, so that an interrupted move goes on where it
 * was, by the same call.
 */
export async function moveClass(
  db: Database,
  className: string,
  layout: WantedLayout,
  options: MoveOptions = {},
): Promise<'moved' | 'unchanged'> {
  try {
    return await move(db, className, layout, options)
  } catch (cause) {
    // Its table may go in any statement, which then fails in a way of its own.
    if (cause instanceof CountersignError || (await findClass(db, className))) throw cause
    throw new CountersignError('InvalidClassName', `Class ${className} was deleted.`, { cause })
  }
}

async function move(
  db: Database,
  className: string,
  layout: WantedLayout,
  { report = () => {}, batch = 2_000, signal }: MoveOptions,
): Promise<'moved' | 'unchanged'> {
  if (!(await withLock(db, () => begin(db, className, layout)))) return 'unchanged'
  const total = await estimateRows(db, className)
  let copied = await readCopied(db, className)
  report({ step: 'copying', copied, total })
  for (let isMore = true; isMore; report({ step: 'copying', copied, total })) {
    signal?.throwIfAborted()
    const done = await copyBatch(db, className, batch)
    await catchUp(db, className, batch)
    copied += done
    isMore = done === batch
  }
  report({ step: 'indexing', copied, total })
  // Without a lock on the class: this takes long, and the end adds the indexes that came in that time.
  await db.transaction(async () => {
    const schema = await findClass(db, className)
    if (schema) await matchIndexes(db, schema)
  })
  for (;;) {
    signal?.throwIfAborted()
    while ((await catchUp(db, className, batch)) >= mostLeft) signal?.throwIfAborted()
    report({ step: 'waiting', copied, total })
    if (await withLock(db, () => swap(db, className, layout, batch))) break
  }
  await settle(db, className)
  report({ step: 'done', copied, total })
  return 'moved'
}

/** Repeats work that did not get its locks in time: those who wait behind it must not wait long. */
async function withLock<Result>(db: Database, work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await db.transaction(async () => {
        await db.query(sql`set local lock_timeout = '${sql.raw(lockTimeout)}s'`)
        return work()
      })
    } catch (error) {
      if (!isLockTimeout(error) && !isConflict(error)) throw error
      await pause(500 + Math.random() * 1_500)
    }
  }
}

/** Creates the empty copy and the trigger, or finds those of an interrupted move. False if there is nothing to do. */
async function begin(db: Database, className: string, layout: WantedLayout): Promise<boolean> {
  const schema = await lockClass(db, className)
  const present = await findLayout(db, className)
  if (!schema || !present) throw new CountersignError('InvalidClassName', `There is no class ${className}.`)
  const [move] = await db.query<{ layout: Layout }>(
    sql`select layout from countersign.class_moves where class_name = ${className}`,
  )
  if (move && sameLayout(move.layout, layout) && !sameLayout(present, layout)) return true
  if (move) await abandonMove(db, className)
  if (sameLayout(present, layout)) return false
  await refuseUnfit(db, schema, layout)
  const [copy, notes] = [copyOf(className), notesOf(className)]
  const key = sql`, constraint ${sql.id(shortenName(`${className}::pkey`))} primary key ("objectId")`
  const columns = sql`like ${tableOf(schema)} including defaults including storage`
  await db.query(sql`create table ${copy} (${columns}${layout.by === 'month' ? sql`` : key})${layoutClause(layout)}`)
  await addParts(db, 'countersign_parts', className, layout)
  if (layout.by === 'month') {
    const [oldest] = await db.query<{ at: Date | null }>(
      sql`select greatest(min("createdAt"), '2000-01-01Z') as at from ${tableOf(schema)}`,
    )
    if (oldest?.at) await addMonths(db, copy, sql`${oldest.at}::timestamptz`, sql`clock_timestamp()`)
  }
  await db.query(
    sql`insert into countersign.class_moves (class_name, layout) values (${className}, ${json(layout)}::jsonb)`,
  )
  await db.query(sql`
    create table countersign_parts.${sql.id(notes)} (id bigserial primary key, "objectId" text not null)`)
  // Last: until the commit writers wait for it.
  if (schema.distributed) await lockWriters(db, className)
  else
    await db.query(
      sql`
      create trigger countersign_move after insert or update or delete on ${sql.table(className)} for each row
      execute function countersign.note_move('${sql.raw(notes)}')`,
    )
  return true
}

/** Waits for the writers of a distributed class, and lets others wait until the transaction ends. */
async function lockWriters(db: Database, className: string): Promise<void> {
  await db.query(sql`select pg_advisory_xact_lock(hashtext('countersign:write'), hashtext(${className}))`)
}

/** Refuses, before anything is copied, a class that cannot have the layout or that the swap would damage. */
async function refuseUnfit(db: Database, schema: ClassSchema, layout: Layout): Promise<void> {
  const { className, relations, distributed } = schema
  const refuse = (reason: string) => {
    throw new CountersignError('InvalidQuery', `Class ${className} cannot become ${describeLayout(layout)}: ${reason}.`)
  }
  const field = layout.by === 'month' ? 'createdAt' : 'objectId'
  const place = distributed ? sql`'countersign_shards.%I'` : sql`'public.%I'`
  const table = sql`format(${place}, ${className}::text)::regclass`
  const [unfit] = await db.query<{
    unique: string | null
    views: string | null
    triggers: string | null
    publications: string | null
    refs: number
  }>(sql`
    select
      (select string_agg(i.indexrelid::regclass::text, ', ') from pg_index i
        where i.indrelid = ${table} and i.indisunique and not i.indisprimary and not exists (
          select from pg_attribute a
          where a.attrelid = i.indrelid and a.attnum = any(i.indkey::int2[]) and a.attname = ${field}
        )) as unique,
      (select string_agg(distinct r.ev_class::regclass::text, ', ') from pg_depend d
        join pg_rewrite r on r.oid = d.objid
        where d.classid = 'pg_rewrite'::regclass and d.refobjid = ${table} and r.ev_class <> ${table}
          and r.ev_class is distinct from to_regclass(format('public.%I', ${className}::text))) as views,
      (select string_agg(t.tgname, ', ') from pg_trigger t
        where t.tgrelid = ${table} and not t.tgisinternal and t.tgname not like 'countersign%') as triggers,
      (select string_agg(distinct p.pubname, ', ') from pg_publication p join pg_publication_rel r on r.prpubid = p.oid
        where r.prrelid = ${table}) as publications,
      (select count(*)::integer from pg_constraint where confrelid = ${table} and contype = 'f') as refs`)
  if (layout.by !== 'none' && unfit?.unique) {
    refuse(`the unique index ${unfit.unique} does not contain ${field}, and each part keeps only its own values apart`)
  }
  if (unfit?.views) refuse(`the view ${unfit.views} reads its table; drop the view first`)
  if (unfit?.triggers)
    refuse(`its table has the trigger ${unfit.triggers}, which is not one of the server; drop it first`)
  if (unfit?.publications)
    refuse(`the publication ${unfit.publications} names its table and would lose it; remove it there first`)
  if (layout.by !== 'month' && layout.by !== 'shards') return
  if (layout.by === 'shards' && unfit && unfit.refs > relations.size) {
    refuse('a table that is none of its relations refers to it, and no local table can refer to a distributed one')
  }
  if (layout.by === 'month' && unfit?.refs)
    refuse('it has relations, which need an index on all its ids; use by: "hash"')
  const chain = await db.query(sql`
    select 1 from countersign.chain_classes where "className" = ${className}
    union select 1 from countersign.chain_syncs where "className" = ${className}`)
  if (chain.length === 0) return
  refuse(layout.by === 'month' ? 'the indexer writes it by its ids; use by: "hash"' : 'the indexer needs a local table')
}

/** Locks the class: one batch at a time, and no change of its fields until the batch ends. */
async function lockMove(db: Database, className: string): Promise<{ schema: ClassSchema; copiedTo: string }> {
  const schema = await lockClass(db, className)
  const [move] = await db.query<{ copied_to: string }>(
    sql`select copied_to from countersign.class_moves where class_name = ${className} for update`,
  )
  if (!schema || !move) {
    throw new CountersignError('InvalidClassName', `Class ${className} was deleted, or its move was given up.`)
  }
  return { schema, copiedTo: move.copied_to }
}

/** Copies the next rows by id. Returns how many. */
function copyBatch(db: Database, className: string, batch: number): Promise<number> {
  return db.transaction(async () => {
    const { schema, copiedTo: from } = await lockMove(db, className)
    const columns = await matchColumns(db, schema)
    const [row] = await db.query<{ count: number; last: string | null }>(sql`
      with page as materialized (
        select ${columns} from ${tableOf(schema)} where "objectId" > ${from}
        order by "objectId" limit ${batch}
      ), put as (
        -- Objects that changed may be there already.
        insert into ${copyOf(className)} (${columns}) select ${columns} from page on conflict do nothing
      )
      select count(*)::integer as count, max("objectId") as last from page`)
    await db.query(sql`
      update countersign.class_moves
      set copied_to = coalesce(${row?.last ?? null}, copied_to), copied = copied + ${row?.count ?? 0}
      where class_name = ${className}`)
    return row?.count ?? 0
  })
}

/** Copies changed objects again, as they are now. Returns how many changes that were. */
function catchUp(db: Database, className: string, most: number): Promise<number> {
  return db.transaction(async () => {
    const { schema } = await lockMove(db, className)
    return copyChanged(db, schema, await matchColumns(db, schema), most)
  })
}

async function copyChanged(db: Database, schema: ClassSchema, columns: Fragment, most: number): Promise<number> {
  const { className } = schema
  const notes = sql`countersign_parts.${sql.id(notesOf(className))}`
  const taken = await db.query<{ objectId: string }>(sql`
    delete from ${notes} where id in (select id from ${notes} order by id limit ${most}) returning "objectId"`)
  if (taken.length === 0) return 0
  // The coordinator commits a note before the worker has the change: its writer holds the lock until both have.
  if (schema.distributed) await lockWriters(db, className)
  const ids = [...new Set(taken.map(({ objectId }) => objectId))]
  // Statements of their own: the second sees at least what the first saw of the notes.
  await db.query(sql`delete from ${copyOf(className)} where "objectId" = any(${ids}::text[])`)
  await db.query(sql`
    insert into ${copyOf(className)} (${columns})
    select ${columns} from ${tableOf(schema)} where "objectId" = any(${ids}::text[])`)
  return taken.length
}

/** Puts the copy in the place of the table. False if too many changes are left to copy. */
async function swap(db: Database, className: string, layout: Layout, batch: number): Promise<boolean> {
  // Waits for backups, see the table. First, because a backup holds its lock for long.
  await db.query(sql`lock table countersign.class_moves in access exclusive mode`)
  const { schema } = await lockMove(db, className)
  const [table, isSpread] = [tableOf(schema), layout.by === 'shards']
  if (isSpread || schema.distributed) await runInTurn(db)
  // In this order: writers to a distributed class take its lock before that of the table.
  if (isSpread || schema.distributed) await lockWriters(db, className)
  await db.query(sql`lock table ${table} in access exclusive mode`)
  const columns = await matchColumns(db, schema)
  for (let rounds = 0; (await copyChanged(db, schema, columns, batch)) > 0; rounds++) {
    if (rounds * batch > mostLeft * 2) return false
  }
  await matchIndexes(db, schema)
  const references = await dropReferences(db, schema)
  const place = isSpread ? sql`countersign_shards` : sql`public`
  const grants = await listGrants(db, className)
  if (schema.distributed) await dropReadView(db, className)
  await db.query(sql`drop table ${table}`)
  await db.query(sql`drop table countersign_parts.${sql.id(notesOf(className))}`)
  await db.query(sql`alter table ${copyOf(className)} set schema ${place}`)
  await db.query(sql`delete from countersign.class_moves where class_name = ${className}`)
  if (isSpread) await createReadView(db, className)
  if (isSpread !== (schema.distributed ?? false)) await noteSpread(db, className, isSpread)
  await db.query(sql`
    select countersign.add_live_trigger(class_name) from countersign.live_classes where class_name = ${className}`)
  await db.query(sql`select countersign.watch_class(${className})`)
  if (layout.by === 'month') await guardIds(db, className)
  if (!isSpread) await addReferences(db, schema, references)
  for (const text of grants) await db.query(sql.raw(text))
  return true
}

/** Reports that the table of the class is in another schema now. Servers that do not know it yet find no table. */
async function noteSpread(db: Database, className: string, isSpread: boolean): Promise<void> {
  await db.query(sql`
    update countersign.classes set distributed = ${isSpread}, version = nextval('countersign.class_versions')
    where "className" = ${className}`)
  await db.query(sql`update countersign.live_classes set logged = false where class_name = ${className}`)
  await db.query(sql`select pg_notify(${classesChannel}, ${className})`)
}

type Reference = { table: string; name: string; definition: string }

/** Drops the references to the class, which would keep its table from being replaced, and returns them. */
async function dropReferences(db: Database, { className, distributed }: ClassSchema): Promise<Reference[]> {
  if (distributed) return []
  const references = await db.query<Reference>(sql`
    select conrelid::regclass::text as table, conname::text as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where confrelid = format('public.%I', ${className}::text)::regclass and contype = 'f' and conparentid = 0`)
  for (const { table, name } of references) {
    await db.query(sql`alter table ${sql.raw(table)} drop constraint ${sql.id(name)}`)
  }
  return references
}

/** References to the new table: those of before, or of a class that was distributed those of its relations. */
async function addReferences(db: Database, schema: ClassSchema, references: Reference[]): Promise<void> {
  const { className, relations, distributed } = schema
  // Checked later: the rows were the same before.
  for (const { table, name, definition } of references) {
    await db.query(sql.raw(`alter table ${table} add constraint "${name}" ${definition} not valid`))
  }
  if (!distributed) return
  for (const field of relations.keys()) {
    await db.query(sql`
      alter table ${sql.table(joinTableName(className, field))} add foreign key ("owningId")
      references ${sql.table(className)} ("objectId") on delete cascade not valid`)
  }
}

/** Statements that grant on the new table, or on the view of a distributed class, what was granted on the old one. */
async function listGrants(db: Database, className: string): Promise<string[]> {
  const rows = await db.query<{ text: string }>(sql`
    select format('grant %s on public.%I to %s', a.privilege_type, c.relname,
      case a.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end) as text
    from pg_class c, aclexplode(c.relacl) a
    where c.oid = format('public.%I', ${className}::text)::regclass and a.grantee <> c.relowner`)
  return rows.map(({ text }) => text)
}

/** Statistics for the planner, and the check of constraints that waited. */
async function settle(db: Database, className: string): Promise<void> {
  const schema = await findClass(db, className)
  if (!schema) return
  await db.query(sql`analyze ${tableOf(schema)}`)
  if (schema.distributed) return
  const waiting = await db.query<{ table: string; name: string }>(sql`
    select conrelid::regclass::text as table, conname::text as name from pg_constraint
    where confrelid = format('public.%I', ${className}::text)::regclass and contype = 'f' and conparentid = 0
      and not convalidated`)
  for (const { table, name } of waiting) {
    await db.query(sql`alter table ${sql.raw(table)} validate constraint ${sql.id(name)}`)
  }
}

async function readCopied(db: Database, className: string): Promise<number> {
  const [row] = await db.query<{ copied: number }>(
    sql`select copied::float8 as copied from countersign.class_moves where class_name = ${className}`,
  )
  return row?.copied ?? 0
}

async function estimateRows(db: Database, className: string): Promise<number> {
  const [row] = await db.query<{ rows: number }>(sql`
    select coalesce(sum(greatest(c.reltuples, 0)) filter (where c.relkind = 'r'), 0)::float8 as rows
    from pg_class c
    where c.oid = to_regclass(format('public.%I', ${className}::text)) or c.oid in (
      select inhrelid from pg_inherits where inhparent = to_regclass(format('public.%I', ${className}::text)))`)
  return row?.rows ?? 0
}
