import { randomBytes } from 'node:crypto'
import type { Database } from '../../db/Database.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { shortenName } from '../names.ts'
import type { Layout } from './Layout.ts'
import { spreadTable } from './spreadTable.ts'

/** How many months have their part in advance. Until then a failed upkeep does no harm. */
export const monthsAhead = 3

/** The part of `create table` that says how the table is divided. The key of months is one of the parts alone. */
export function layoutClause(layout: Layout): Fragment {
  if (layout.by === 'hash') return sql` partition by hash ("objectId")`
  return layout.by === 'month' ? sql` partition by range ("createdAt")` : sql``
}

/** Creates the parts of a table that was just created. `schema` and `name` are the table's. */
export async function addParts(db: Database, schema: string, name: string, layout: Layout): Promise<void> {
  const table = sql`${sql.id(schema)}.${sql.id(name)}`
  // A class that is laid out again has its former parts beside the new ones for a while.
  const partName = (part: string) => sql.id(shortenName(`${name}~${randomBytes(4).toString('hex')}~${part}`))
  if (layout.by === 'hash') {
    for (let part = 0; part < layout.parts; part++) {
      await db.query(sql`
        create table countersign_parts.${partName(String(part))} partition of ${table}
        for values with (modulus ${sql.raw(layout.parts)}, remainder ${sql.raw(part)})`)
    }
  }
  if (layout.by === 'month') {
    await db.query(sql`
      create table countersign_parts.${partName('rest')} partition of ${table} (primary key ("objectId")) default`)
    await addMonths(db, table, sql`clock_timestamp()`, sql`clock_timestamp() + ${`${monthsAhead} months`}::interval`)
  }
  if (layout.by === 'shards') await spreadTable(db, table, layout.shards)
}

/** Adds the parts of all months from one time to another. Returns how many were missing. */
export async function addMonths(db: Database, table: Fragment, first: Fragment, last: Fragment): Promise<number> {
  const [row] = await db.query<{ added: number }>(sql`
    select count(*) filter (
      where countersign.add_month_part('${table}'::regclass, month at time zone 'UTC'))::integer as added
    from generate_series(
      date_trunc('month', (${first}) at time zone 'UTC'), (${last}) at time zone 'UTC', interval '1 month') month`)
  return row?.added ?? 0
}

/** Adds the parts of the months in which objects with these times lie. */
export async function addMonthsOf(db: Database, className: string, times: readonly unknown[]): Promise<void> {
  await db.query(sql`
    select countersign.add_month_part(format('public.%I', ${className}::text)::regclass, month) from (
      select distinct date_trunc('month', at::timestamptz, 'UTC') as month from unnest(${times}::text[]) at
      where at is not null
    ) months`)
}

/** Keeps an id from being used in two months. Once the objects are there: it looks at every one that comes. */
export async function guardIds(db: Database, className: string): Promise<void> {
  await db.query(sql`
    create trigger countersign_guard before insert on ${sql.table(className)} for each row
    execute function countersign.guard_id()`)
}
