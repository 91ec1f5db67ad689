import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClasses } from '../../classes/createClasses.ts'
import type { Database } from '../../db/Database.ts'
import { migrate } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations.ts'
import { openDatabase } from '../../db/openDatabase.ts'
import { sql } from '../../db/sql.ts'
import { createLogger } from '../../log/createLogger.ts'
import { getTemplate } from '../../testing/getTemplate.ts'
import { createFeed } from './createFeed.ts'
import type { Feed, Position } from './Feed.ts'
import { sweepChanges } from './sweepChanges.ts'

const log = createLogger('silent')
const retention = 600_000
const isEmbedded = process.env.TEST_DATABASE !== 'postgres'

/** A database that is copied and put back while nothing runs on it, as an administrator does. */
type Storage = { open(): Promise<Database>; copy(): Promise<void>; restore(): Promise<void>; remove(): Promise<void> }

type Server = { db: Database; feed: Feed; gaps: number; stop(): Promise<void> }

let storage: Storage
let servers: Server[] = []

beforeEach(async () => {
  storage = await (isEmbedded ? createFolder() : createDatabase())
  const db = await storage.open()
  await migrate(db, migrations)
  const classes = await createClasses(db)
  await classes.change('Game', async () => [
    { kind: 'createClass' },
    { kind: 'addField', name: 'n', field: { type: 'Number' } },
  ])
  await classes.close()
  await db.close()
})
afterEach(async () => {
  for (const { stop } of servers) await stop()
  servers = []
  await storage.remove()
})

async function createFolder(): Promise<Storage> {
  const parent = await mkdtemp(join(tmpdir(), 'restored-'))
  const [folder, copy] = [join(parent, 'data'), join(parent, 'copy')]
  const files = join(folder, 'database')
  await mkdir(folder)
  const made = await PGlite.create(files, { loadDataDir: await getTemplate('migrated') })
  await made.close()
  const replace = async (to: string, from: string) => {
    await rm(to, { recursive: true, force: true })
    await cp(from, to, { recursive: true })
  }
  return {
    open: () => openDatabase({ dataFolder: folder }),
    copy: () => replace(copy, files),
    restore: () => replace(files, copy),
    remove: () => rm(parent, { recursive: true, force: true }),
  }
}

async function createDatabase(): Promise<Storage> {
  const url = new URL(process.env.TEST_POSTGRES_URL ?? '')
  const client = new Client({ connectionString: url.href })
  const name = `test_${randomBytes(8).toString('hex')}`
  url.pathname = `/${name}`
  await client.connect()
  await client.query(`create database ${name} template template0 encoding 'UTF8'`)
  const untilUnused = () =>
    expect
      .poll(async () => (await client.query(`select from pg_stat_activity where datname = '${name}'`)).rowCount, {
        timeout: 20_000,
      })
      .toBe(0)
  return {
    open: () => openDatabase({ databaseUrl: url.href, dataFolder: 'memory://', poolSize: 2 }),
    async copy() {
      await untilUnused()
      await client.query(`create database ${name}_copy template ${name}`)
    },
    async restore() {
      await untilUnused()
      await client.query(`drop database ${name}`)
      await client.query(`alter database ${name}_copy rename to ${name}`)
    },
    async remove() {
      await client.query(`drop database if exists ${name}_copy`)
      await client.query(`drop database if exists ${name} with (force)`)
      await client.end()
    },
  }
}

async function start(): Promise<Server> {
  const db = await storage.open()
  const feed = await createFeed({ db, log, retention })
  const server: Server = {
    db,
    feed,
    gaps: 0,
    async stop() {
      servers = servers.filter((other) => other !== server)
      await feed.stop()
      await db.close()
    },
  }
  feed.watch(({ gap }) => {
    if (gap) server.gaps++
  })
  await feed.openClass('Game')
  servers.push(server)
  return server
}

async function write({ db, feed }: Server, ...names: string[]): Promise<Position> {
  for (const name of names) {
    await db.query(sql`
      insert into public."Game" ("objectId", "createdAt", "updatedAt", n) values (${name}, now(), now(), 1)`)
  }
  const position = await feed.openClass('Game')
  feed.closeClass('Game')
  return position
}

async function resume({ feed }: Server, from: Position) {
  const found: unknown[] = []
  for await (const page of feed.read(from, feed.current(), 'Game')) {
    if (page === 'expired') return 'expired'
    found.push(...page.changes.map(({ after }) => after?.objectId))
  }
  return found
}

test('a position from before a stop continues after it, also in a copy that has everything before it', async () => {
  const first = await start()
  const early = await write(first, 'a1')
  const last = await write(first, 'a2')
  await first.stop()
  await storage.copy()
  const second = await start()
  expect([await resume(second, early), await resume(second, last)]).toEqual([['a2'], []])
  await write(second, 'a3')
  expect(await resume(second, last)).toEqual(['a3'])
  await second.stop()
  await storage.restore()
  const third = await start()
  await write(third, 'a4')
  expect([await resume(third, early), await resume(third, last)]).toEqual([['a2', 'a4'], ['a4']])
})

test('a copy is put back: a position of later changes expires', async () => {
  const first = await start()
  const early = await write(first, 'b1')
  await first.stop()
  await storage.copy()
  const second = await start()
  const lost = [await write(second, 'b2'), await write(second, 'b3')]
  await second.stop()
  await storage.restore()
  const third = await start()
  for (const position of lost) expect(await resume(third, position)).toBe('expired')
  expect(await resume(third, early)).toEqual([])
})

test('a copy is put back and more is written than before: the position is taken, and expires all the same', async () => {
  const first = await start()
  await write(first, 'c1')
  await first.stop()
  await storage.copy()
  const second = await start()
  const lost = [await write(second, 'c2'), await write(second, 'c3')]
  await second.stop()
  await storage.restore()
  const third = await start()
  const [replaced] = [await write(third, 'd2'), await write(third, 'd3', 'd4', 'd5', 'd6', 'd7', 'd8')]
  for (const position of lost) expect(await resume(third, position)).toBe('expired')
  expect(await resume(third, replaced as Position)).toEqual(['d3', 'd4', 'd5', 'd6', 'd7', 'd8'])
  // A restart later, too.
  await third.stop()
  const fourth = await start()
  await write(fourth, 'd9')
  for (const position of lost) expect(await resume(fourth, position)).toBe('expired')
  expect(await resume(fourth, replaced as Position)).toEqual(['d3', 'd4', 'd5', 'd6', 'd7', 'd8', 'd9'])
})

test('a copy is put back, written to and swept: the position expires', async () => {
  const first = await start()
  await write(first, 'e1')
  await first.stop()
  await storage.copy()
  const second = await start()
  const lost = await write(second, 'e2', 'e3')
  await second.stop()
  await storage.restore()
  const third = await start()
  await write(third, 'f2')
  await third.db.query(sql`delete from countersign.live_marks where at < clock_timestamp() - interval '1 hour'`)
  await new Promise((resolve) => setTimeout(resolve, 30))
  await sweepChanges({ db: third.db, log, retention: 10 })
  await write(third, 'f3', 'f4', 'f5')
  expect(await resume(third, lost)).toBe('expired')
})

test('several copies are put back one after another: positions of each lost time expire', async () => {
  const first = await start()
  const early = await write(first, 'g0')
  await first.stop()
  await storage.copy()
  const lost: Position[] = []
  for (let round = 1; round <= 3; round++) {
    const server = await start()
    for (let n = 0; n < round; n++) lost.push(await write(server, `g${round}-${n}`))
    await server.stop()
    await storage.restore()
    if (round < 3) await storage.copy()
  }
  const last = await start()
  await write(last, 'h1', 'h2', 'h3', 'h4')
  for (const position of lost) expect(await resume(last, position)).toBe('expired')
  expect(await resume(last, early)).toEqual(['h1', 'h2', 'h3', 'h4'])
})

test.runIf(isEmbedded)('files of a running server are copied, as by a snapshot of the volume', async () => {
  const first = await start()
  const early = await write(first, 'i1', 'i2')
  await storage.copy()
  const lost = await write(first, 'i3')
  await first.stop()
  await storage.restore()
  const second = await start()
  expect(await resume(second, lost)).toBe('expired')
  await write(second, 'j3', 'j4')
  expect([await resume(second, early), await resume(second, lost)]).toEqual([['j3', 'j4'], 'expired'])
})

test.runIf(!isEmbedded)('a dump is put back into the same database: positions since then expire', async () => {
  const first = await start()
  const early = await write(first, 'k1')
  await first.stop()
  const [copied] = [await storage.open()]
  const tables = ['changes', 'live_state', 'live_marks', 'live_classes', 'live_continued']
  for (const table of tables) {
    await copied.query(sql`create table public.${sql.raw(table)} as table countersign.${sql.raw(table)}`)
  }
  const second = await start()
  const lost = await write(second, 'k2')
  await second.stop()
  for (const table of tables) {
    await copied.query(sql`truncate countersign.${sql.raw(table)}`)
    await copied.query(sql`insert into countersign.${sql.raw(table)} table public.${sql.raw(table)}`)
  }
  await copied.close()
  const third = await start()
  await write(third, 'l2', 'l3')
  expect([await resume(third, early), await resume(third, lost)]).toEqual([['l2', 'l3'], 'expired'])
})
