import { createHash } from 'node:crypto'
import { refuse } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import type { Snapshot } from '../../db/Database.ts'
import { sql } from '../../db/sql.ts'
import type { ReadableTable } from './readableTables.ts'
import type { CheckedSql } from './readSql.ts'
import {
  longestQuery,
  mostRows,
  readRows,
  type SqlResult,
  writeDescription,
  writeRows,
  writeTables,
} from './writeSql.ts'

/** Runs a query on a connection of its own, as a role that may read these columns and nothing else. */
export async function runOnPostgres(
  context: Context,
  query: CheckedSql,
  tables: readonly ReadableTable[],
): Promise<SqlResult> {
  const reader = await prepareReader(context, tables)
  // Its transaction is repeatable read and read only.
  const snapshot = await context.db.snapshot()
  try {
    await enterReader(snapshot, reader)
    const prefix = writeTables(tables)
    const described = await snapshot.describe({ text: writeDescription(prefix, query), values: [0] })
    const rows = await snapshot.query<{ j: string | null }>({
      text: writeRows(prefix, query, described),
      values: [mostRows + 1],
    })
    return readRows(described, rows)
  } finally {
    await snapshot.close()
  }
}

/** Only names of PostgreSQL's own functions, types and operators are found: not those of extensions. */
async function enterReader({ query }: Snapshot, reader: string): Promise<void> {
  const settings = {
    statement_timeout: String(longestQuery),
    lock_timeout: '2000',
    idle_in_transaction_session_timeout: '30000',
    max_parallel_workers_per_gather: '0',
    standard_conforming_strings: 'on',
    search_path: 'pg_catalog',
  }
  for (const [name, value] of Object.entries(settings)) await query(sql`select set_config(${name}, ${value}, true)`)
  await query(sql`set local role ${sql.id(reader)}`)
}

type Reader = { exists: boolean; isMember: boolean; isPlain: boolean }

/**
 * Role of queries, named after the server's own. Created with the first query: not every server may create one, and
 * roles belong to all databases of a cluster.
 */
async function prepareReader({ db }: Context, tables: readonly ReadableTable[]): Promise<string> {
  const [{ user } = { user: '' }] = await db.query<{ user: string }>(sql`select current_user::text as user`)
  const reader = `countersign_sql_${createHash('sha256').update(user).digest('hex').slice(0, 12)}`
  const find = async (): Promise<Reader | undefined> => {
    const [found] = await db.query<Reader>(sql`
      select true as exists, pg_has_role(current_user, oid, 'member') as "isMember",
        not (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls or rolcanlogin)
          and not exists (select from pg_auth_members m where m.member = r.oid) as "isPlain"
      from pg_roles r where rolname = ${reader}`)
    return found
  }
  const manual = `create role ${reader} nologin; grant ${reader} to "${user}";`
  let found = await find()
  if (!found?.isMember) {
    await createReader({ db }, reader, found !== undefined, manual)
    found = await find()
  }
  if (!found?.isMember) throw refuse('sqlRefused', { problem: `the database needs a role. Run: ${manual}` })
  if (!found.isPlain) throw refuse('sqlRefused', { problem: `the database role ${reader} has rights of its own` })
  await grantColumns({ db }, reader, tables)
  return reader
}

async function createReader(
  { db }: Pick<Context, 'db'>,
  reader: string,
  exists: boolean,
  manual: string,
): Promise<void> {
  try {
    if (!exists) await db.query(sql`create role ${sql.id(reader)} nologin`)
    await db.query(sql`grant ${sql.id(reader)} to current_user`)
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === '42501') throw refuse('sqlRefused', { problem: `the database needs a role. Run: ${manual}` })
    // Another server of the cluster was faster.
    if (code !== '42710' && code !== '23505' && code !== 'XX000') throw error
  }
}

/** Grants what is missing: classes and fields come and go. */
async function grantColumns(
  { db }: Pick<Context, 'db'>,
  reader: string,
  tables: readonly ReadableTable[],
): Promise<void> {
  await db.transaction(async () => {
    // Two grants at once on one table fail.
    await db.query(sql`select pg_advisory_xact_lock(hashtext('countersign:sql'))`)
    if (!(await hasRight({ db }, sql`has_schema_privilege(${reader}, 'public', 'usage')`)))
      await db.query(sql`grant usage on schema public to ${sql.id(reader)}`)
    for (const { name, columns } of tables) {
      const names = columns.map((column) => column.name)
      const table = sql.table(name)
      const isGranted = await hasRight(
        { db },
        sql`(
          select bool_and(has_column_privilege(${reader}, c.attrelid, c.attnum, 'select')) from pg_attribute c
          where c.attrelid = to_regclass(${`public."${name}"`}) and c.attname::text = any(${names}::text[])
        )`,
      )
      if (!isGranted)
        await db.query(sql`grant select (${sql.join(names.map(sql.id))}) on ${table} to ${sql.id(reader)}`)
    }
  })
}

async function hasRight({ db }: Pick<Context, 'db'>, right: ReturnType<typeof sql>): Promise<boolean> {
  const [row] = await db.query<{ granted: boolean | null }>(sql`select ${right} as granted`)
  return row?.granted === true
}
