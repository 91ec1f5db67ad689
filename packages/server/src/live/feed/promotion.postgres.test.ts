import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createClasses } from '../../classes/createClasses.ts'
import type { Database } from '../../db/Database.ts'
import { migrate } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations.ts'
import { openDatabase } from '../../db/openDatabase.ts'
import { sql } from '../../db/sql.ts'
import { createLogger } from '../../log/createLogger.ts'
import { createRandom } from '../../testing/createRandom.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/openTestDatabase.ts'
import { createFeed, parseLogPosition } from './createFeed.ts'
import { covers, type Feed, type Mark, type Position } from './Feed.ts'
import { markReached } from './histories.ts'

/*
 * Promotions as a server sees them, made by hand in one database: the log says it belongs to an earlier timeline, and
 * what the standby had not received is gone, its numbers free for others.
 */

const log = createLogger('silent')
const retention = 600_000

type Server = {
  db: Database
  feed: Feed
  seen: { id: number; name: string; position: Position }[]
  gaps: number
  /** Holds the reader in the middle of its work, as if the database had gone away. */
  hold(): () => void
  stop(): Promise<void>
}

let opened: TestDatabase
let db: Database
let servers: Server[] = []

beforeAll(async () => {
  opened = await openTestDatabase()
  db = opened.db
  await migrate(db, migrations)
  const classes = await createClasses(db)
  for (const className of ['Game', 'Other']) {
    await classes.change(className, async () => [
      { kind: 'createClass' },
      { kind: 'addField', name: 'n', field: { type: 'Number' } },
    ])
  }
  await classes.close()
})
afterEach(async () => {
  for (const { stop } of servers) await stop()
  servers = []
})
afterAll(() => opened.close())

async function start(className = 'Game'): Promise<Server> {
  const own = await openDatabase({ databaseUrl: opened.databaseUrl, dataFolder: 'memory://', poolSize: 2 })
  const feed = await createFeed({ db: own, log, retention })
  let held: Promise<void> | undefined
  const server: Server = {
    db: own,
    feed,
    seen: [],
    gaps: 0,
    hold() {
      let letGo = () => {}
      held = new Promise((resolve) => {
        letGo = resolve
      })
      return letGo
    },
    stop: async () => {
      await feed.stop()
      await own.close()
    },
  }
  feed.watch(async (batch) => {
    if (batch.gap) server.gaps++
    for (const [index, { id, after }] of batch.changes.entries()) {
      server.seen.push({ id: Number(id), name: String(after?.objectId), position: batch.position(index) })
    }
    await held
  })
  await feed.openClass(className)
  servers.push(server)
  return server
}

const write = (name: string, className = 'Game') =>
  db.query(sql`
    insert into public."${sql.raw(className)}" ("objectId", "createdAt", "updatedAt", n)
    values (${name}, now(), now(), 1)`)

/** Ends when the server has read everything, also the first time after a promotion. */
async function settle({ feed }: Server, className = 'Game') {
  await feed.openClass(className)
  feed.closeClass(className)
}

const names = ({ seen }: Server) => seen.map(({ name }) => name)
const lastId = async () =>
  (await db.query<{ last: number }>(sql`select coalesce(max(id), 0)::int as last from countersign.changes`))[0]?.last ??
  0

/**
 * Promotes a standby that lacks the changes after number `upTo`. Its sequence continues there, or `skip` numbers later
 * as PostgreSQL's do.
 */
async function promote({ upTo, skip = 0 }: { upTo?: number; skip?: number } = {}) {
  await db.transaction(async () => {
    if (upTo !== undefined) {
      await db.query(sql`delete from countersign.changes where id > ${upTo}`)
      await db.query(sql`update countersign.live_marks set nonce = null`)
      await db.query(sql`select setval('countersign.changes_id_seq', ${Math.max(1, upTo)})`)
    }
    await db.query(
      sql`select setval('countersign.changes_id_seq', last_value + ${skip}) from countersign.changes_id_seq`,
    )
    await db.query(sql`update countersign.live_state set incarnation = split_part(incarnation, '-', 1) || '-00000000'`)
  })
}

async function resume({ feed }: Server, from: Position) {
  const found: string[] = []
  for await (const page of feed.read(from, feed.current(), 'Game')) {
    if (page === 'expired') return 'expired'
    found.push(...page.changes.map(({ after }) => String(after?.objectId)))
  }
  return found
}

const last = ({ seen }: Server) => seen.at(-1) as Server['seen'][number]

for (const skip of [0, 1, 32, 1_000]) {
  test(`a promotion that lost nothing is continuous; the sequence skips ${skip}`, async () => {
    const server = await start()
    await write(`kept${skip}`)
    await settle(server)
    const early = server.feed.current()
    await write(`unread${skip}`)
    await promote({ skip })
    await write(`new${skip}`)
    await settle(server)
    expect([names(server), server.gaps]).toEqual([[`kept${skip}`, `unread${skip}`, `new${skip}`], 0])
    // Positions from before serve on.
    expect(await resume(server, early)).toEqual([`unread${skip}`, `new${skip}`])
    expect(await resume(server, last(server).position)).toEqual([])
  })
}

test('a lost change that was read is a gap, and earlier positions of that server expire', async () => {
  const server = await start()
  await write('a1')
  await settle(server)
  const upTo = last(server).id
  await write('a2')
  await settle(server)
  const old = last(server).position
  await promote({ upTo })
  await settle(server)
  expect(server.gaps).toBe(1)
  expect(await resume(server, old)).toBe('expired')
})

test('a number that was given out again with other content is recognised', async () => {
  const server = await start()
  await write('b1')
  await settle(server)
  const upTo = last(server).id
  await write('b2')
  await settle(server)
  const { id, position } = last(server)
  const [old] = await db.query<{ xid: string }>(sql`select xid::text from countersign.changes where id = ${id}`)
  await promote({ upTo })
  await db.query(sql`
    insert into countersign.changes (xid, class_name, after)
    values (${old?.xid}::xid8, 'Game', '{"objectId": "b2", "n": 1}')`)
  expect(await lastId()).toBe(id)
  await settle(server)
  expect(server.gaps).toBe(1)
  expect(await resume(server, position)).toBe('expired')
})

test('lost changes that nobody had read are no gap, and their numbers are read again', async () => {
  const server = await start()
  await write('c1')
  await settle(server)
  const letGo = server.hold()
  await write('c2')
  await expect.poll(() => names(server)).toEqual(['c1', 'c2'])
  const upTo = last(server).id
  await write('lost')
  await write('lost too')
  await promote({ upTo })
  await write('c3')
  letGo()
  await settle(server)
  expect([names(server), server.gaps]).toEqual([['c1', 'c2', 'c3'], 0])
})

test('a lost change of a class that only another server reads breaks positions up to it everywhere', async () => {
  const [games, others] = [await start('Game'), await start('Other')]
  await write('d1')
  await settle(games)
  const upTo = last(games).id
  await write('d2', 'Other')
  await settle(others, 'Other')
  await settle(games)
  const old = games.feed.current()
  await promote({ upTo })
  await settle(games)
  await settle(others, 'Other')
  expect([games.gaps, others.gaps]).toEqual([1, 1])
  expect(await resume(games, old)).toBe('expired')
})

test('a position serves on a server that started after the promotion, if another one found it intact', async () => {
  const first = await start()
  await write('e1')
  await settle(first)
  const position = last(first).position
  const letGo = first.hold()
  await write('e2')
  await expect.poll(() => names(first)).toEqual(['e1', 'e2'])
  await promote()
  const second = await start()
  // Not checked yet.
  expect(await resume(second, position)).toBe('expired')
  letGo()
  await settle(first)
  expect(await resume(second, position)).toEqual(['e2'])
  // Two promotions later, too.
  await promote({ skip: 32 })
  await settle(first)
  await settle(second)
  expect(await resume(second, position)).toEqual(['e2'])
  expect([first.gaps, second.gaps]).toEqual([0, 0])
  // A position of the future is none of theirs.
  const place = parseLogPosition(position)
  const forged = place && `${place.history}.${(1e12).toString(36)}_${(1e12).toString(36)}`
  expect(await resume(second, second.feed.parsePosition(forged) as Position)).toBe('expired')
})

test('a server without subscribers keeps the positions that it gave out', async () => {
  const server = await start()
  await write('f1')
  await settle(server)
  const { position } = last(server)
  server.feed.closeClass('Game')
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  await promote()
  await write('f2')
  await server.feed.openClass('Game')
  expect(await resume(server, position)).toEqual(['f2'])
})

test('witnesses that were swept are not missed; a floor that went back is an earlier state', async () => {
  const server = await start()
  await write('g1')
  await settle(server)
  // All earlier work of this cluster has ended.
  await expect
    .poll(async () => {
      await db.query(sql`update countersign.live_state set kept_from = pg_snapshot_xmin(pg_current_snapshot())`)
      const rows = await db.query(sql`
        delete from countersign.changes where xid < (select kept_from from countersign.live_state) returning 1`)
      return rows.length
    })
    .toBeGreaterThan(0)
  await settle(server)
  const gaps = server.gaps
  await promote()
  await settle(server)
  expect(server.gaps).toBe(gaps)
  await db.query(sql`update countersign.live_state set kept_from = '3'`)
  await promote()
  await settle(server)
  expect(server.gaps).toBe(gaps + 1)
})

test('a restored copy of another database is a gap', async () => {
  const server = await start()
  await write('h1')
  await settle(server)
  const { position } = last(server)
  await db.query(sql`update countersign.live_state set incarnation = '77-00000001'`)
  await settle(server)
  expect(server.gaps).toBe(1)
  expect(await resume(server, position)).toBe('expired')
})

test('lost changes are recognised on the same timeline, after the connection was lost', async () => {
  const [server, other] = [await start(), await start()]
  await write('i1')
  await settle(server)
  const upTo = last(server).id
  await write('i2')
  await settle(server)
  await settle(other)
  const { position } = last(server)
  await db.query(sql`delete from countersign.changes where id > ${upTo}`)
  await db.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  await expect.poll(() => [server.gaps, other.gaps]).toEqual([1, 1])
  await settle(server)
  expect(await resume(server, position)).toBe('expired')
})

test('after a restart a server that was there continues; one that starts has proof only up to the last mark', async () => {
  const first = await start()
  await write('j1')
  await settle(first)
  const early = last(first).position
  await markReached(db)
  await write('j2')
  await settle(first)
  const late = last(first).position
  const letGo = first.hold()
  await write('j3')
  await expect.poll(() => names(first).at(-1)).toBe('j3')
  await db.query(sql`update countersign.live_state set run = 'of an earlier process'`)
  const second = await start()
  // A transaction that was under way may be lost although later ones are there.
  expect([await resume(second, early), await resume(second, late)]).toEqual([['j2', 'j3'], 'expired'])
  letGo()
  await settle(first)
  expect([await resume(second, late), first.gaps, second.gaps]).toEqual([['j3'], 0, 0])
})

for (const seed of [1, 2, 3, 4, 5, 6]) {
  test(`whatever is lost when: every server has a gap or every change once (${seed})`, async () => {
    const { below: random } = createRandom(seed)
    const all = [await start(), await start(), await start()]
    const lost = new Set<string>()
    let count = 0
    for (let round = 0; round < 8; round++) {
      const base = await lastId()
      const before = all.map(({ seen, gaps }) => ({ count: seen.length, gaps }))
      const written: { name: string; id: number }[] = []
      const letGo = all.map((server) => (random(3) === 0 ? server.hold() : () => {}))
      for (let writes = random(6); writes > 0; writes--) {
        const name = `r${seed}-${count++}`
        await write(name, random(4) === 0 ? 'Other' : 'Game')
        written.push({ name, id: await lastId() })
        if (random(2) === 0) await new Promise((resolve) => setTimeout(resolve, random(30)))
      }
      const tail = random(2) === 0 ? written.splice(random(written.length + 1)) : []
      await promote({ ...(tail[0] && { upTo: tail[0].id - 1 }), skip: random(2) * 32 })
      for (const { name } of tail) lost.add(name)
      for (let writes = random(4); writes > 0; writes--) {
        const name = `r${seed}-${count++}`
        await write(name)
        written.push({ name, id: await lastId() })
      }
      for (const free of letGo) free()
      for (const [index, server] of all.entries()) {
        await settle(server)
        const start = before[index]
        const got = server.seen.slice(start?.count).map(({ name }) => name)
        const sawLost = got.some((name) => lost.has(name))
        const gaps = server.gaps - (start?.gaps ?? 0)
        if (sawLost) expect(gaps, `round ${round}, server ${index}`).toBe(1)
        if (tail.length === 0) expect(gaps).toBe(0)
        const games = await db.query<{ name: string }>(sql`
          select after->>'objectId' as name from countersign.changes
          where id > ${base} and class_name = 'Game' order by id`)
        if (gaps === 0) expect(got.toSorted()).toEqual(games.map(({ name }) => name).toSorted())
        expect(new Set(got).size).toBe(got.length)
      }
    }
  })
}

test('a mark covers those before it', () => {
  const mark = (xmax: number, underWay: number[] = [], seen = xmax): Mark => ({ xmax, underWay, last: seen })
  const rows: [later: Mark, mark: Mark, expected: boolean][] = [
    [mark(10), mark(10), true],
    [mark(11), mark(10), true],
    [mark(10), mark(11), false],
    [mark(12, [9]), mark(10, [9]), true],
    [mark(12, [9]), mark(10), false],
    [mark(12), mark(10, [9]), true],
    [mark(12, [10, 11]), mark(10), true],
    [mark(12, [], 4), mark(10, [], 5), false],
  ]
  for (const [later, earlier, expected] of rows) expect(covers(later, earlier)).toBe(expected)
})
