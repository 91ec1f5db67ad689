import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Client, ClientConfig } from 'pg'
import { readAnchors } from '../audit/anchors.ts'
import type { Config } from '../config/Config.ts'
import { FolderInUse } from '../db/embedded/lockFolder.ts'
import { listTables } from '../db/listTables.ts'
import { migrations } from '../db/migrations.ts'
import { openDatabase } from '../db/openDatabase.ts'
import { createHosts } from '../db/postgres/createHosts.ts'
import { describeAddresses } from '../db/postgres/readAddresses.ts'
import { sql } from '../db/sql.ts'
import { checkReplicas } from './checkReplicas.ts'
import { type Report, reasonOf } from './Finding.ts'
import type { Machine } from './Machine.ts'

/** Connections that one server holds at most: docs/architecture.md. */
const connectionsOfServer = 19
const oldestVersion = 14
const patience = 10_000
const roundTrip = 5_000

type Facts = {
  version: string
  encoding: string
  fsync: string
  fullPageWrites: string
  synchronousCommit: string
  timeZone: string
  now: string
  mostConnections: number
  reserved: number
  used: number
  databaseLimit: number
  mayCreate: boolean
  encrypted: boolean
  address: string | null
}

type Query = <Row extends object>(text: string) => Promise<Row[]>

export async function checkDatabase(config: Config, machine: Machine, report: Report): Promise<void> {
  if (!config.databaseUrl) return checkEmbedded(config, report)
  const client = await connect(config.databaseUrl, report)
  if (!client) return
  const query: Query = async (text) => (await client.query(text)).rows
  try {
    const [facts] = await query<Facts>(`
      select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
        current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites",
        current_setting('synchronous_commit') as "synchronousCommit", current_setting('TimeZone') as "timeZone",
        (extract(epoch from clock_timestamp()) * 1000)::text as now,
        current_setting('max_connections')::int as "mostConnections",
        current_setting('superuser_reserved_connections')::int as reserved,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()) as used,
        (select datconnlimit from pg_database where datname = current_database()) as "databaseLimit",
        has_database_privilege(current_database(), 'create') as "mayCreate",
        coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as encrypted,
        host(inet_server_addr()) as address`)
    const isUsable = facts && checkFacts(facts, machine, report)
    if (isUsable) {
      await checkMigrations(query, report)
      await checkAudit(config, query, report)
      await checkNotifications(config.directDatabaseUrl ?? config.databaseUrl, client, report)
      await checkReplicas(config, client, report)
    }
  } finally {
    await client.end().catch(() => {})
  }
}

async function connect(databaseUrl: string, report: Report): Promise<Client | undefined> {
  const settings: ClientConfig = {
    connectionTimeoutMillis: patience,
    fallback_application_name: 'countersign doctor',
  }
  let where = 'the database'
  try {
    where = `PostgreSQL at ${describeAddresses(databaseUrl)}`
    const client = await createHosts(databaseUrl, settings, 'none').connect()
    report.ok('connection', `${where} answers.`)
    return client
  } catch (error) {
    report.fault(
      'connection',
      `${where}: ${reasonOf(error)}`,
      'The server does not start.',
      fixOf((error as { code?: string }).code),
    )
  }
}

function fixOf(code: string | undefined): string {
  if (code === '28P01' || code === '28000') return 'Correct the user or the password in DATABASE_URL.'
  if (code === '3D000') return 'Create the database, or correct its name in DATABASE_URL.'
  if (code === '53300') return 'Raise max_connections, or stop programs that keep connections open.'
  return 'Start PostgreSQL, or correct host and port in DATABASE_URL. Check firewalls on the way.'
}

/** Returns true if further checks make sense. */
function checkFacts(facts: Facts, machine: Machine, report: Report): boolean {
  if (Number.parseInt(facts.version, 10) < oldestVersion) {
    report.fault(
      'version',
      `PostgreSQL ${facts.version} is too old.`,
      'The server does not start.',
      `Upgrade it to ${oldestVersion} or newer.`,
    )
    return false
  }
  report.ok('version', `PostgreSQL ${facts.version}`)
  if (facts.encoding !== 'UTF8') {
    report.fault(
      'encoding',
      `The database is encoded in ${facts.encoding}.`,
      'The server does not start, because texts in most languages could not be stored.',
      "Create it with: create database … encoding 'UTF8' template template0.",
    )
    return false
  }
  if (!facts.mayCreate) {
    report.fault(
      'rights',
      'The user has no permission to create schemas in this database.',
      'Migrations fail, so the server does not start.',
      'Make the user the owner of the database: alter database … owner to ….',
    )
  }
  checkDurability(facts, report)
  checkConnections(facts, report)
  if (!/^(UTC|Etc\/UTC|GMT|Etc\/GMT|Universal|Zulu|Etc\/Universal)$/i.test(facts.timeZone)) {
    report.warning(
      'time zone',
      `The time zone of the database is ${facts.timeZone}.`,
      'Countersign uses UTC. Your own queries and dumps show different times.',
      "alter database … set timezone = 'UTC'",
    )
  }
  if (!facts.encrypted && !isLocal(facts.address)) {
    report.warning(
      'encryption',
      'The connection to the database is not encrypted.',
      'Anyone on the network path can read passwords, sessions and data.',
      'Add ?sslmode=verify-full to DATABASE_URL, or use a private network.',
    )
  }
  const drift = Math.abs(Number(facts.now) - machine.now())
  const said = `The clocks of this machine and of the database differ by ${(drift / 1000).toFixed(1)} s.`
  const meaning = 'Sessions, links and challenges expire too early or too late, and at different times on each server.'
  const fix = 'Synchronize both clocks with NTP (timedatectl set-ntp true).'
  if (drift > 30_000) report.fault('clock', said, meaning, fix)
  else if (drift > 5_000) report.warning('clock', said, meaning, fix)
  else report.ok('clock', said)
  return true
}

function isLocal(address: string | null): boolean {
  return address === null || address === '::1' || address.startsWith('127.')
}

function checkDurability({ fsync, fullPageWrites, synchronousCommit }: Facts, report: Report): void {
  const off = Object.entries({ fsync, full_page_writes: fullPageWrites }).filter(([, value]) => value !== 'on')
  if (off.length > 0) {
    report.fault(
      'durability',
      `${off.map(([name]) => name).join(' and ')} is off.`,
      'A crash of the machine can destroy the whole database.',
      `alter system set ${off[0]?.[0]} = on; select pg_reload_conf();`,
    )
  }
  if (synchronousCommit === 'off') {
    report.fault(
      'synchronous_commit',
      'synchronous_commit is off.',
      'A crash can undo the latest acknowledged writes: a revoked session or an old password may work again.',
      'alter database … set synchronous_commit = on (or reset it where it was set: role, system).',
    )
  }
  if (off.length === 0 && synchronousCommit !== 'off') report.ok('durability', 'Every commit reaches the disk.')
}

function checkConnections(facts: Facts, report: Report): void {
  const { mostConnections, reserved, used, databaseLimit } = facts
  const free = mostConnections - reserved - used
  const limit = databaseLimit < 0 ? free : Math.min(free, databaseLimit)
  if (limit >= connectionsOfServer) {
    report.ok('connections', `${limit} connections are free; a server uses up to ${connectionsOfServer}.`)
    return
  }
  report.warning(
    'connections',
    databaseLimit >= 0 && databaseLimit < connectionsOfServer
      ? `The database allows ${databaseLimit} connections; a server uses up to ${connectionsOfServer}.`
      : `${free} of ${mostConnections} connections are free; a server uses up to ${connectionsOfServer}.`,
    'Unless this server uses the others, requests wait for a connection and fail under load.',
    'Raise max_connections (and the limit of the database), or run fewer servers on it.',
  )
}

async function checkMigrations(query: Query, report: Report): Promise<void> {
  const [there] = await query<{ there: boolean }>(`select to_regclass('countersign.migrations') is not null as there`)
  if (!there?.there) return report.skipped('migrations', 'The tables do not exist yet; the first start creates them.')
  const applied = await query<{ name: string; checksum: string }>(
    'select name, checksum from countersign.migrations order by position',
  )
  const known = new Map(migrations.map(({ name, sql }) => [name, createHash('sha256').update(sql).digest('hex')]))
  const newer = applied.find(({ name }) => !known.has(name))
  if (newer) {
    return report.fault(
      'migrations',
      `The database has the migration "${newer.name}", which this version does not know.`,
      'A newer version has used this database; this one does not start on it.',
      'Run that version, or restore the backup from before the upgrade.',
    )
  }
  const changed = applied.find(({ name, checksum }) => known.get(name) !== checksum)
  if (changed) {
    return report.fault(
      'migrations',
      `The migration "${changed.name}" in the database differs from the one of this version.`,
      'The server does not start, because the tables may differ from what it expects.',
      'Run the version that created this database, or restore a backup.',
    )
  }
  const lost = await findMissingTables(query, new Set(applied.map(({ name }) => name)))
  if (lost.length > 0) {
    report.fault(
      'tables',
      `Missing tables: ${lost.slice(0, 10).join(', ')}${lost.length > 10 ? ` and ${lost.length - 10} more` : ''}.`,
      'Requests that need them fail, and no start creates them again: their migrations count as applied.',
      'Restore a backup. If something drops tables of this database, give it a database of its own.',
    )
  }
  const pending = migrations.length - applied.length
  if (pending === 0) return report.ok('migrations', `All ${applied.length} migrations are applied.`)
  report.warning(
    'migrations',
    `${pending} of ${migrations.length} migrations are not applied yet.`,
    'The next start applies them; an older version does not start afterwards.',
    'Take a backup, then start this version.',
  )
}

async function findMissingTables(query: Query, applied: ReadonlySet<string>): Promise<string[]> {
  const there = await query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables where schemaname in ('countersign', 'public')`,
  )
  const names = new Set(there.map(({ name }) => name))
  return listTables(migrations.filter(({ name }) => applied.has(name))).filter((table) => !names.has(table))
}

/** A notification from one connection to another: a pooler in transaction mode loses them without a word. */
async function checkNotifications(databaseUrl: string, sender: Client, report: Report): Promise<void> {
  const { connect } = createHosts(databaseUrl, { connectionTimeoutMillis: patience }, 'none')
  const receiver = await connect()
  let timer: NodeJS.Timeout | undefined
  try {
    const heard = new Promise<boolean>((resolve) => {
      receiver.once('notification', () => resolve(true))
      timer = setTimeout(() => resolve(false), roundTrip)
    })
    const began = performance.now()
    await receiver.query('listen countersign_doctor')
    await sender.query('notify countersign_doctor')
    if (await heard)
      return report.ok('notifications', `A notification arrived after ${Math.round(performance.now() - began)} ms.`)
    report.fault(
      'notifications',
      `A notification did not arrive within ${roundTrip / 1000} s.`,
      'Servers learn late that a session was revoked, and live queries are delayed.',
      'Set COUNTERSIGN_DIRECT_DATABASE_URL to PostgreSQL itself, or let the pooler use session mode: LISTEN needs its own connection.',
    )
  } finally {
    clearTimeout(timer)
    await receiver.end().catch(() => {})
  }
}

/** Compares the audit log with the last end of it that is kept outside the database. */
async function checkAudit(config: Config, query: Query, report: Report): Promise<void> {
  const last = (await readAnchors(config)).anchors.at(-1)
  if (!last) return report.skipped('audit', 'The data folder has no anchor of the audit log yet.')
  const [found] = await query<{ hash: string }>(
    `select encode(hash, 'hex') as hash from countersign.audit where position = ${last.position}`,
  ).catch(() => [])
  if (found?.hash === last.hash) return report.ok('audit', `The audit log matches the anchor of ${last.at}.`)
  report.fault(
    'audit',
    `Entry ${last.position} of the audit log is missing; ${last.from} refers to it.`,
    'The database was restored to an earlier state, or this is another database.',
    'Run countersign audit verify. If you restored the database yourself, move that file away.',
  )
}

async function checkEmbedded(config: Config, report: Report): Promise<void> {
  const { dataFolder } = config
  const folder = resolve(dataFolder)
  if (!existsSync(join(folder, 'database', 'PG_VERSION'))) {
    return report.skipped('embedded', `There is no database in ${folder} yet; the first start creates it.`)
  }
  try {
    const db = await openDatabase({ dataFolder: folder })
    try {
      report.ok('embedded', 'The embedded database opens, and a commit reaches the disk.')
      const query: Query = (text) => db.query(sql.raw(text))
      await checkMigrations(query, report)
      await checkAudit(config, query, report)
    } finally {
      await db.close()
    }
  } catch (error) {
    if (error instanceof FolderInUse) {
      return report.ok('embedded', 'Not checked: a running server uses the database and checked it at its start.')
    }
    report.fault(
      'embedded',
      `The database in ${folder} cannot be opened: ${reasonOf(error)}`,
      'The server does not start.',
      'Keep a copy of the folder, then restore a backup.',
    )
  }
}
