import { CountersignError } from '@countersign/protocol'
import type { Config } from '../../config/Config.ts'
import { ConfigError } from '../../config/ConfigError.ts'
import type { PartitionSetting } from '../../config/partitionSettings.ts'
import type { Database } from '../../db/Database.ts'
import { json, sql } from '../../db/sql.ts'
import type { ClassSchema } from '../ClassSchema.ts'
import { isSystemClass } from '../names.ts'

type LayoutSettings = Pick<Config, 'partition' | 'distribute'>

/** Layout of the table of a class. `hand`: a layout that this server does not make. */
export type Layout =
  | { by: 'none' }
  | { by: 'hash'; parts: number }
  | { by: 'month' }
  /** Spread over the workers of a Citus cluster. */
  | { by: 'shards'; shards: number }
  | { by: 'hand' }

export type WantedLayout = Exclude<Layout, { by: 'hand' }>

/** Layout of a setting, without what concerns the upkeep alone. */
function layoutOf(setting: PartitionSetting): WantedLayout {
  return setting.by === 'hash' ? { by: 'hash', parts: setting.parts } : { by: setting.by }
}

/** Layouts that the configuration asks for, by class. */
export function listLayouts({ partition, distribute }: LayoutSettings): [className: string, layout: WantedLayout][] {
  return [
    ...Object.entries(partition).map(([name, setting]): [string, WantedLayout] => [name, layoutOf(setting)]),
    ...Object.entries(distribute).map(([name, { shards }]): [string, WantedLayout] => [name, { by: 'shards', shards }]),
  ]
}

export function sameLayout(one: Layout, other: Layout): boolean {
  if (one.by === 'hash' && other.by === 'hash') return one.parts === other.parts
  if (one.by === 'shards' && other.by === 'shards') return one.shards === other.shards
  return one.by === other.by
}

export function describeLayout(layout: Layout): string {
  if (layout.by === 'hash') return `${layout.parts} parts by objectId`
  if (layout.by === 'shards') return `${layout.shards} shards on the workers of Citus`
  if (layout.by === 'month') return 'a part for each month of createdAt'
  return layout.by === 'none' ? 'one table' : 'parts made by hand'
}

/** Keeps the wanted layouts in the database, where every program that creates a class finds them. */
export async function recordLayouts(db: Database, settings: LayoutSettings): Promise<void> {
  const layouts = listLayouts(settings)
  const names = layouts.map(([name]) => name)
  if (names.length > 0 && db.kind === 'embedded') {
    const setting = Object.keys(settings.distribute).length > 0 ? 'distribute' : 'partition'
    throw new ConfigError(
      `${setting} needs a PostgreSQL server: the embedded database is for small sites, whose classes need no parts. ` +
        'Set DATABASE_URL, or remove the setting.',
    )
  }
  const twice = Object.keys(settings.distribute).find((name) => Object.hasOwn(settings.partition, name))
  if (twice !== undefined) {
    throw new ConfigError(`The settings partition and distribute both name ${twice}. Name it in one of them.`)
  }
  if (Object.keys(settings.distribute).length > 0) await needCitus(db)
  if (!(await isReady(db))) return
  const wanted = layouts.map(([name, layout]) => ({ name, layout }))
  await db.query(sql`
    with gone as (
      delete from countersign.class_parts where class_name <> '*' and class_name <> all(${names}::text[])
    )
    insert into countersign.class_parts (class_name, layout)
    select name, layout from json_to_recordset(${json(wanted)}::json) as wanted (name text, layout jsonb)
    on conflict (class_name) do update set layout = excluded.layout`)
}

/** Returns true if the database has the extension Citus. */
export async function hasCitus(db: Pick<Database, 'query'>): Promise<boolean> {
  const [there] = await db.query<{ catalog: string | null }>(
    sql`select to_regclass('pg_catalog.pg_dist_partition')::text as catalog`,
  )
  return Boolean(there?.catalog)
}

export async function needCitus(db: Database): Promise<void> {
  if (await hasCitus(db)) return
  throw new ConfigError(
    'distribute needs the extension Citus in the database, and workers in its cluster. To divide a large class on one ' +
      'PostgreSQL, use the setting partition. See docs/large-classes.md.',
  )
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
  const [row] = await db.query<{ key: string | null; parts: number; foreign: number; isSpread: boolean }>(sql`
    select pg_get_partkeydef(c.oid) as key, parts.count as parts, parts.foreign,
      c.relnamespace = to_regnamespace('countersign_shards') as "isSpread"
    from pg_class c, lateral (
      select count(*)::integer as count,
        (count(*) filter (where p.relnamespace::regnamespace::text <> 'countersign_parts'))::integer as foreign
      from pg_inherits i join pg_class p on p.oid = i.inhrelid where i.inhparent = c.oid
    ) parts
    where c.relkind in ('r', 'p') and c.oid in (
      to_regclass(format('public.%I', ${className}::text)),
      to_regclass(format('countersign_shards.%I', ${className}::text)))`)
  if (!row) return undefined
  if (row.isSpread) return { by: 'shards', shards: await countShards(db, className) }
  if (row.key === null) return { by: 'none' }
  if (row.foreign > 0) return { by: 'hand' }
  if (row.key === 'HASH ("objectId")') return { by: 'hash', parts: row.parts }
  return row.key === 'RANGE ("createdAt")' ? { by: 'month' } : { by: 'hand' }
}

async function countShards(db: Database, className: string): Promise<number> {
  const [row] = await db.query<{ shards: number }>(sql`
    select count(*)::integer as shards from pg_catalog.pg_dist_shard
    where logicalrelid = format('countersign_shards.%I', ${className}::text)::regclass`)
  return row?.shards ?? 0
}

/** Fields that every unique index of the class must contain: those that decide on the part. */
export async function listPartFields(
  db: Database,
  { className, distributed }: Pick<ClassSchema, 'className' | 'distributed'>,
): Promise<string[]> {
  if (distributed) return ['objectId']
  const rows = await db.query<{ name: string }>(sql`
    select a.attname::text as name
    from pg_partitioned_table p
    join pg_attribute a on a.attrelid = p.partrelid and a.attnum = any(p.partattrs::int2[])
    where p.partrelid = to_regclass(format('public.%I', ${className}::text))`)
  return rows.map(({ name }) => name)
}

/**
 * Refuses a class that the indexer cannot write: it writes objects again by their ids, and several classes in one
 * statement.
 */
export async function refuseIndexed(db: Database, className: string, purpose: string): Promise<void> {
  await refuseMonths(db, className, purpose)
  const layout = (await findLayout(db, className)) ?? (await findWantedLayout(db, className))
  if (layout.by !== 'shards') return
  throw new CountersignError(
    'InvalidQuery',
    `Class ${className} is distributed and ${purpose}, which needs a local table. Remove it from the setting distribute.`,
  )
}

/** Refuses a class without an index on all its ids: relations refer to an object by its id. */
export async function refuseMonths(db: Database, className: string, purpose: string): Promise<void> {
  const layout = (await findLayout(db, className)) ?? (await findWantedLayout(db, className))
  if (layout.by !== 'month') return
  throw new CountersignError(
    'InvalidQuery',
    `Class ${className} is partitioned by month and ${purpose}. Partition it by hash: no index covers the ids of all months.`,
  )
}
