import { randomBytes } from 'node:crypto'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config/readConfig.ts'
import { listTables } from '../db/listTables.ts'
import { migrations } from '../db/migrations.ts'
import { openTestDatabase, type TestDatabase } from '../testing/openTestDatabase.ts'
import { examine, thisMachine } from './examine.ts'
import type { Finding } from './Finding.ts'
import type { Machine } from './Machine.ts'

type Planted = { databaseUrl: string; replicaUrl?: string; machine?: Partial<Machine> }
type Row = [
  name: string,
  plant: () => Promise<Planted>,
  expected: [check: string, status: Finding['status'], text: RegExp],
]

const serverUrl = () => process.env.TEST_POSTGRES_URL as string
const ends: (() => Promise<unknown>)[] = []
let database: TestDatabase
let url: string
beforeAll(async () => {
  database = await openTestDatabase({ template: 'migrated' })
  url = database.databaseUrl as string
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
  await database.close()
})

const diagnose = ({ machine = {}, ...urls }: Planted) =>
  examine({
    loadConfig: () =>
      readConfig({ environment: {}, folder: '/nonexistent', flags: { port: 1, ...urls, usePublicNodes: false } }),
    machine: { ...thisMachine, ...machine },
  })

async function administer(text: (name: string) => string, of = url): Promise<void> {
  const client = new Client({ connectionString: serverUrl() })
  await client.connect()
  await client.query(text(new URL(of).pathname.slice(1)))
  await client.end()
}

/** A database of its own with a setting that is wrong. */
async function another(text: (name: string) => string, options = ''): Promise<Planted> {
  const name = `doctor_${randomBytes(6).toString('hex')}`
  const made = new URL(serverUrl())
  made.pathname = `/${name}`
  await administer(() => `create database ${name} template template0 ${options}`)
  ends.push(() => administer(() => `drop database ${name} with (force)`))
  if (text('') !== '') await administer(() => text(name))
  return { databaseUrl: made.href }
}

/** Hands everything on but notifications, as a pooler does that changes connections with every transaction. */
async function startPooler(): Promise<string> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer((inner) => {
    const outer = connect(Number(target.port || 5432), target.hostname)
    sockets.add(inner).add(outer)
    inner.pipe(outer)
    let rest = Buffer.alloc(0)
    outer.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 5 && rest.length >= 1 + rest.readInt32BE(1)) {
        const length = 1 + rest.readInt32BE(1)
        if (rest[0] !== 'A'.charCodeAt(0)) inner.write(rest.subarray(0, length))
        rest = rest.subarray(length)
      }
    })
    for (const socket of [inner, outer]) socket.on('error', () => {})
    outer.on('close', () => inner.destroy())
    inner.on('close', () => outer.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as AddressInfo).port)
  return through.href
}

async function withMigrations(text: string): Promise<Planted> {
  const other = await openTestDatabase({ template: 'migrated' })
  ends.push(other.close)
  await other.db.query({ text })
  return { databaseUrl: other.databaseUrl as string }
}

const rows: Row[] = [
  [
    'the database does not respond',
    async () => ({ databaseUrl: 'postgresql://me:hidden-password@127.0.0.1:1/none' }),
    ['connection', 'fault', /127\.0\.0\.1:1, database "none": .*ECONNREFUSED/],
  ],
  [
    'the database is not there',
    async () => ({ databaseUrl: Object.assign(new URL(url), { pathname: '/nowhere' }).href }),
    ['connection', 'fault', /"nowhere" does not exist/],
  ],
  [
    'the user is not there',
    async () => ({
      databaseUrl: Object.assign(new URL(url), { username: 'stranger', password: 'hidden-password' }).href,
    }),
    ['connection', 'fault', /stranger/],
  ],
  [
    'the database is not in UTF-8',
    () => another(() => '', `encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'`),
    ['encoding', 'fault', /SQL_ASCII/],
  ],
  [
    'commits do not wait for the disk',
    () => another((name) => `alter database ${name} set synchronous_commit = off`),
    ['synchronous_commit', 'fault', /is off/],
  ],
  [
    'connections are few',
    () => another((name) => `alter database ${name} connection limit 5`),
    ['connections', 'warning', /allows 5 connections/],
  ],
  [
    'the time zone is another',
    () => another((name) => `alter database ${name} set timezone = 'Asia/Tokyo'`),
    ['time zone', 'warning', /Asia\/Tokyo/],
  ],
  [
    'the clocks differ',
    async () => ({ databaseUrl: url, machine: { now: () => Date.now() + 600_000 } }),
    ['clock', 'fault', /differ by (600|599|601)/],
  ],
  [
    'a newer version has used the database',
    () => withMigrations(`insert into countersign.migrations (name, checksum) values ('9999 future', 'x')`),
    ['migrations', 'fault', /"9999 future"/],
  ],
  [
    'a migration was changed',
    () => withMigrations(`update countersign.migrations set checksum = 'x' where position = 3`),
    ['migrations', 'fault', /differs from the one of this version/],
  ],
  [
    'a migration is missing',
    () =>
      withMigrations(
        'delete from countersign.migrations where position = (select max(position) from countersign.migrations)',
      ),
    ['migrations', 'warning', /1 of \d+ migrations are not applied/],
  ],
  [
    'tables are missing',
    () => withMigrations('drop table countersign.mail_log; drop table countersign.gate_queue'),
    ['tables', 'fault', /countersign\.gate_queue, countersign\.mail_log/],
  ],
  [
    'a token gate is on a chain that is not configured',
    () =>
      withMigrations(`
        insert into public."_Role" ("objectId", "name", "createdAt", "updatedAt") values ('aaaaaaaaaa', 'Holders', now(), now());
        insert into countersign.gates ("objectId", role, chain, kind, amount, "createdAt", due)
          values ('gggggggggg', 'aaaaaaaaaa', 8453, 'native', 1, now(), now())`),
    ['token gates', 'fault', /"Holders" has a token gate on chain 8453, which is not configured/],
  ],
  [
    'a pooler loses notifications',
    async () => ({ databaseUrl: await startPooler() }),
    ['notifications', 'fault', /did not arrive/],
  ],
  [
    'a replica does not respond',
    async () => ({ databaseUrl: url, replicaUrl: 'postgresql://me:hidden-password@127.0.0.1:1/none' }),
    ['replicas', 'warning', /127\.0\.0\.1:1 does not respond: .*ECONNREFUSED/],
  ],
  [
    'a replica follows no primary',
    async () => ({ databaseUrl: url, replicaUrl: url }),
    ['replicas', 'fault', /is not a standby/],
  ],
]

test.each(rows)('doctor finds it where %s', async (_name, plant, [check, status, text]) => {
  const findings = await diagnose(await plant())
  const found = findings.filter((finding) => finding.check === check && finding.status === status)
  expect(found.map(({ message }) => message).join('\n'), JSON.stringify(findings, null, 1)).toMatch(text)
  for (const { meaning, fix } of found) expect([meaning, fix]).toEqual([expect.any(String), expect.any(String)])
  expect(JSON.stringify(findings)).not.toMatch(/hidden-/)
})

test('the list of tables is that of a database with all migrations', async () => {
  const rows = await database.db.query<{ name: string }>({
    text: `select schemaname || '.' || tablename as name from pg_tables
      where schemaname in ('countersign', 'public') and tablename <> 'migrations'`,
  })
  expect(listTables(migrations)).toEqual(rows.map(({ name }) => name).sort())
})

test('doctor has nothing to say about a database that is well', async () => {
  const findings = (await diagnose({ databaseUrl: url })).filter(({ area }) => area === 'database')
  // The database of the tests does not wait for its disk, which it reports.
  const wrong = findings.filter(({ status }) => status === 'fault' || status === 'warning')
  expect(
    wrong.filter(({ check }) => check !== 'durability' && check !== 'synchronous_commit' && check !== 'time zone'),
  ).toEqual([])
  expect(findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining(['version', 'clock', 'migrations', 'notifications']),
  )
})
