import { CountersignError } from '@countersign/protocol'
import type { Config } from '../../config/Config.ts'
import { ConfigError } from '../../config/ConfigError.ts'
import type { PartitionSetting } from '../../config/partitionSettings.ts'
import type { Database } from '../../db/Database.ts'
import { json, sql } from '../../db/sql.ts'
import { isSystemClass } from '../names.ts'

/** Layout of the table of a class. `hand`: a layout that this server does not make. */
export type Layout = { by: 'none' } | { by: 'hash'; parts: number } | { by: 'month' } | { by: 'hand' }

/** Layout of a setting, without what concerns the upkeep alone. */
export function layoutOf(setting: PartitionSetting): Exclude<Layout, { by: 'hand' }> {
  return setting.by === 'hash' ? { by: 'hash', parts: setting.parts } : { by: setting.by }
}

export function sameLayout(one: Layout, other: Layout): boolean {
  return one.by === other.by && (one.by !== 'hash' || other.by !== 'hash' || one.parts === other.parts)
}

export function describeLayout(layout: Layout): string {
  if (layout.by === 'hash') return `${layout.parts} parts by objectId`
  if (layout.by === 'month') return 'a part for each month of createdAt'
  return layout.by === 'none' ? 'one table' : 'parts made by hand'
}

/** Keeps the wanted layouts in the database, where every program that creates a class finds them. */
export async function recordLayouts(db: Database, { partition }: Pick<Config, 'partition'>): Promise<void> {
  const names = Object.keys(partition)
  if (names.length > 0 && db.kind === 'embedded') {
    throw new ConfigError(
      'partition needs a PostgreSQL server: the embedded database is for small sites, whose classes need no parts. ' +
        'Set DATABASE_URL, or remove the setting.',
    )
  }
  if (!(await isReady(db))) return
  const wanted = names.map((name) => ({ name, layout: layoutOf(partition[name] as PartitionSetting) }))
  await db.query(sql`
    with gone as (
      delete from countersign.class_parts where class_name <> '*' and class_name <> all(${names}::text[])
    )
    insert into countersign.class_parts (class_name, layout)
    select name, layout from json_to_recordset(${json(wanted)}::json) as wanted (name text, layout jsonb)
    on conflict (class_name) do update set layout = excluded.layout`)
}

/** A backup of an earlier version is restored into the tables of that version. */
async function isReady(db: Database): Promise<boolean> {
  const [row] = await db.query<{ ready: boolean }>(
    sql`select to_regclass('countersign.class_parts') is not null as ready`,
  )
  return row?.ready ?? false
}

/** The layout that a class of this name is to have when it is created. */
export async function findWantedLayout(db: Database, className: string): Promise<Layout> {
  if (isSystemClass(className) || !(await isReady(db))) return { by: 'none' }
  const [row] = await db.query<{ layout: Layout }>(sql`
    select layout from countersign.class_parts where class_name in (${className}, '*')
    order by class_name = '*' limit 1`)
  return row?.layout ?? { by: 'none' }
}

/** Layout of a table as the database has it; undefined if there is no such table. */
export async function findLayout(db: Database, className: string): Promise<Layout | undefined> {
  const [row] = await db.query<{ key: string | null; parts: number; foreign: number }>(sql`
    select pg_get_partkeydef(c.oid) as key, parts.count as parts, parts.foreign
    from pg_class c, lateral (
      select count(*)::integer as count,
        (count(*) filter (where p.relnamespace::regnamespace::text <> 'countersign_parts'))::integer as foreign
      from pg_inherits i join pg_class p on p.oid = i.inhrelid where i.inhparent = c.oid
    ) parts
    where c.oid = to_regclass(format('public.%I', ${className}::text))`)
  if (!row) return undefined
  if (row.key === null) return { by: 'none' }
  if (row.foreign > 0) return { by: 'hand' }
  if (row.key === 'HASH ("objectId")') return { by: 'hash', parts: row.parts }
  return row.key === 'RANGE ("createdAt")' ? { by: 'month' } : { by: 'hand' }
}

/** Fields that every unique index of the class must contain: those that decide on the part. */
export async function listPartFields(db: Database, className: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select a.attname::text as name
    from pg_partitioned_table p
    join pg_attribute a on a.attrelid = p.partrelid and a.attnum = any(p.partattrs::int2[])
    where p.partrelid = to_regclass(format('public.%I', ${className}::text))`)
  return rows.map(({ name }) => name)
}

/**
 * Refuses a class without an index on all its ids: relations refer to an object by its id, and the indexer writes
 * objects again by theirs.
 */
export async function refuseMonths(db: Database, className: string, purpose: string): Promise<void> {
  const layout = (await findLayout(db, className)) ?? (await findWantedLayout(db, className))
  if (layout.by !== 'month') return
  throw new CountersignError(
    'InvalidQuery',
    `Class ${className} is partitioned by month and ${purpose}. Partition it by hash: no index covers the ids of all months.`,
  )
}
