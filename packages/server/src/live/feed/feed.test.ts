import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createClasses } from '../../classes/createClasses.ts'
import { deleteSchema } from '../../classes/schema/schemas.ts'
import type { Database } from '../../db/Database.ts'
import { migrate } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations.ts'
import { sql } from '../../db/sql.ts'
import { createLogger } from '../../log/createLogger.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/openTestDatabase.ts'
import { createFeed, parseLogPosition } from './createFeed.ts'
import { type Batch, type Change, encodeLogPosition, type Feed, type Position, type WatchedBatch } from './Feed.ts'
import { sweepChanges } from './sweepChanges.ts'

const log = createLogger('silent')
const retention = 60_000

let opened: TestDatabase
let db: Database
let feed: Feed
let batches: WatchedBatch[] = []
let endWatch: () => void

beforeAll(async () => {
  opened = await openTestDatabase()
  db = opened.db
  await migrate(db, migrations)
  await makeClass('Game')
  feed = await createFeed({ db, log, retention })
})
afterAll(async () => {
  await feed.stop()
  await opened.close()
})
beforeEach(() => {
  endWatch?.()
  batches = []
  endWatch = feed.watch((batch) => void batches.push(batch))
})

async function makeClass(className: string) {
  const classes = await createClasses(db)
  await classes.change(className, async () => [
    { kind: 'createClass' },
    { kind: 'addField', name: 'n', field: { type: 'Number' } },
  ])
  await classes.close()
}

const insert = (id: string, n = 0, className = 'Game') =>
  db.query(sql`
    insert into public."${sql.raw(className)}" ("objectId", "createdAt", "updatedAt", n)
    values (${id}, now(), now(), ${n})`)
const update = (id: string, n: number) => db.query(sql`update public."Game" set n = ${n} where "objectId" = ${id}`)
const remove = (id: string) => db.query(sql`delete from public."Game" where "objectId" = ${id}`)

const brief = ({ before, after }: Change) => [before?.objectId ?? after?.objectId, before?.n, after?.n]
const seen = () => batches.flatMap(({ changes }) => changes.map(brief))

async function until(check: () => boolean) {
  const start = performance.now()
  while (!check()) {
    if (performance.now() - start > 30_000) throw new Error('not within half a minute')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function collect(pages: AsyncIterable<Batch | 'expired'>): Promise<{ changes: Change[]; expired: boolean }> {
  const changes: Change[] = []
  for await (const page of pages) {
    if (page === 'expired') return { changes, expired: true }
    changes.push(...page.changes)
  }
  return { changes, expired: false }
}

const triggers = async (className: string) =>
  (
    await db.query(sql`
      select 1 from pg_trigger where tgname = 'countersign_live' and tgrelid = ${`public."${className}"`}::regclass`)
  ).length

test('R24: an unwatched class is not recorded; a watched one has values before and after', async () => {
  await insert('unseen')
  expect(await triggers('Game')).toBe(0)
  await feed.openClass('Game')
  expect(await triggers('Game')).toBe(1)
  await insert('a', 1)
  await update('a', 2)
  await remove('a')
  await until(() => seen().length === 3)
  expect(seen()).toEqual([
    ['a', undefined, 1],
    ['a', 1, 2],
    ['a', 2, undefined],
  ])
  // An update that changes nothing is none.
  await insert('same', 1)
  await update('same', 1)
  await feed.openClass('Game')
  feed.closeClass('Game')
  expect(seen().length).toBe(4)
  expect(batches.flatMap(({ changes }) => changes)[0]?.at).toBeGreaterThan(Date.now() - 60_000)
})

test('a rolled-back change is never sent, and a transaction is sent at its end', async () => {
  await db
    .transaction(async () => {
      await insert('never')
      throw new Error('no')
    })
    .catch(() => {})
  await db.transaction(async () => {
    await insert('b', 1)
    await db.nest(() => insert('b', 9)).catch(() => {})
    await update('b', 2)
  })
  await until(() => seen().length >= 2)
  await feed.openClass('Game')
  feed.closeClass('Game')
  expect(seen()).toEqual([
    ['b', undefined, 1],
    ['b', 1, 2],
  ])
})

test('openClass resolves after everything that was committed before it', async () => {
  for (let round = 0; round < 5; round++) {
    await insert(`before${round}`)
    await feed.openClass('Game')
    feed.closeClass('Game')
    expect(seen().at(-1)?.[0]).toBe(`before${round}`)
  }
  const position = feed.current()
  await insert('after')
  await until(() => feed.current() !== position)
  expect((await collect(feed.read(position, feed.current(), 'Game'))).changes.map(brief)).toEqual([
    ['after', undefined, 0],
  ])
})

test('R24: from every place in a batch of several pages the rest is read, once and in order', async () => {
  const start = await feed.openClass('Game')
  feed.closeClass('Game')
  await db.transaction(async () => {
    await db.query(sql`
      insert into public."Game" ("objectId", "createdAt", "updatedAt", n)
      select 'many' || i, now(), now(), i from generate_series(1, 700) i`)
    await db.query(sql`update public."Game" set n = n + 0.5 where "objectId" like 'many%'`)
  })
  await until(() => seen().length === 1400)
  expect(batches.length).toBeGreaterThan(2)
  const all = batches.flatMap(({ changes }) => changes)
  expect(all.map(({ id }) => Number(id))).toEqual(all.map(({ id }) => Number(id)).sort((a, b) => a - b))
  const end = feed.current()
  expect((await collect(feed.read(start, end, 'Game'))).changes).toEqual(all)
  let before = 0
  for (const batch of batches) {
    for (const index of [0, batch.changes.length - 2, batch.changes.length - 1]) {
      const from = batch.position(index)
      expect(feed.parsePosition(from)).toBe(from)
      expect(encodeLogPosition(parseLogPosition(from) as never)).toBe(from)
      expect((await collect(feed.read(from, end, 'Game'))).changes).toEqual(all.slice(before + index + 1))
    }
    before += batch.changes.length
    expect((await collect(feed.read(batch.end, end, 'Game'))).changes).toEqual(all.slice(before))
    expect((await collect(feed.read(start, batch.end, 'Game'))).changes).toEqual(all.slice(0, before))
  }
  // A reader that joins in the middle continues from a position within the missed part.
  for await (const page of feed.read(start, end, 'Game')) {
    const middle = (page as Batch).position(7)
    expect((await collect(feed.read(middle, end, 'Game'))).changes).toEqual(all.slice(8))
    break
  }
})

test('large changes come in small pages', async () => {
  const start = feed.current()
  await db.query(sql`alter table public."Game" add column big jsonb`)
  const texts = Array.from({ length: 8 }, () => randomBytes(500_000).toString('hex'))
  await db.query(sql`
    insert into public."Game" ("objectId", "createdAt", "updatedAt", big)
    select 'big' || place, now(), now(), to_jsonb(text)
    from unnest(${texts}::text[]) with ordinality as t (text, place)`)
  await until(() => seen().length === 8)
  expect(Math.max(...batches.map(({ changes }) => changes.length))).toBeLessThan(6)
  expect((await collect(feed.read(start, feed.current(), 'Game'))).changes.length).toBe(8)
})

test('a class that does not exist yet, is dropped and is made again is watched all along', async () => {
  const early = await feed.openClass('Later')
  await makeClass('Later')
  await insert('first', 1, 'Later')
  await until(() => seen().length === 1)
  expect((await collect(feed.read(early, feed.current(), 'Later'))).changes.map(brief)).toEqual([
    ['first', undefined, 1],
  ])
  await db.query(sql`delete from public."Later"`)
  await until(() => seen().length === 2)
  const old = feed.current()
  const classes = await createClasses(db)
  await deleteSchema({ db, classes } as never, 'Later')
  await classes.close()
  await makeClass('Later')
  await insert('second', 2, 'Later')
  await until(() => seen().length === 3)
  expect(seen()[2]).toEqual(['second', undefined, 2])
  expect((await collect(feed.read(old, feed.current(), 'Later'))).expired).toBe(true)
  feed.closeClass('Later')
})

test('quiet work sends nothing', async () => {
  await db.transaction(async () => {
    await db.query(sql`set local countersign.quiet = 'on'`)
    await insert('quiet')
  })
  await insert('loud')
  await until(() => seen().length > 0)
  expect(seen().map(([id]) => id)).toEqual(['loud'])
})

test('P6: secrets of users and sessions never enter the log', async () => {
  await feed.openClass('_User')
  await feed.openClass('_Session')
  await db.query(sql`
    insert into "_User" ("objectId", "createdAt", "updatedAt", username, "_username_key", "_password_hash", "_rperm")
    values ('u1', now(), now(), 'ann', 'ann', 'the-hash', '{*}')`)
  await db.query(sql`
    insert into "_Session"
      ("objectId", "createdAt", "updatedAt", "_token_hash", "_confirmed", "_proof", "user", "expiresAt", "createdWith")
    values ('s1', now(), now(), 'the-token', now(), 'the-proof', 'u1', now(), '{}')`)
  await db.query(sql`update "_User" set "_password_hash" = 'next-hash', username = 'bob'`)
  await until(() => seen().length === 3)
  const text = JSON.stringify(
    await db.query(sql`select before, after from countersign.changes where class_name like '\\_%'`),
  )
  expect(text).not.toMatch(/_password_hash|_username_key|_token_hash|_proof|_confirmed|-hash|746865/)
  const [user] = batches.flatMap(({ changes }) => changes)
  expect(user?.after).toMatchObject({ username: 'ann', _rperm: ['*'], _nulls: null })
  feed.closeClass('_User')
  feed.closeClass('_Session')
})

test('rejects an invented position, and a forged one does no harm', async () => {
  const true1 = feed.current()
  for (const text of [
    undefined,
    null,
    7,
    {},
    '',
    'x',
    `${true1} `,
    `${true1}.`,
    `${true1}_`,
    true1.toUpperCase(),
    true1.replace('.', '.0'),
    `${true1}.${true1.split('.')[1]}`,
    'AAAAAAAA.0_0',
    'AAAAAAAA.5_5_0',
    'AAAAAAAA.5_5_5',
    'AAAAAAAA.5_5_1_2',
    'AAAAAAAA.zzzzzzzzzzzz_1',
    "AAAAAAAA.5_5';drop table x",
    `AAAAAAAA.5_5${'_1'.repeat(40_000)}`,
  ]) {
    expect(feed.parsePosition(text)).toBeUndefined()
  }
  const incarnation = true1.split('.')[0]
  for (const text of [
    'AAAAAAAA.5_5',
    `${incarnation}.1_0`,
    `${incarnation}.2gosa7pa2gu_2gosa7pa2gu`,
    `${incarnation}.5_5_2_1.1_0.2gosa7pa2gu`,
  ]) {
    const forged = feed.parsePosition(text) as Position
    expect(forged).toBe(text)
    const { changes, expired } = await collect(feed.read(forged, feed.current(), 'Game'))
    expect(expired || changes.length === 0).toBe(true)
  }
})

test('R24: changes older than the retention are deleted, and an older reader is notified', async () => {
  const old = feed.current()
  await insert('kept')
  await until(() => seen().length === 1)
  const middle = feed.current()
  await sweepChanges({ db, log, retention })
  expect((await collect(feed.read(old, middle, 'Game'))).changes.length).toBe(1)
  // Transactions of other databases on the same machine count too, so it may take more than one try.
  for (let left = 1, tries = 0; left > 0 && tries < 50; tries++) {
    await db.query(sql`insert into countersign.live_marks (before) select pg_snapshot_xmin(pg_current_snapshot())`)
    // A reader stands where it last looked, at most half a second ago.
    await feed.openClass('Game')
    feed.closeClass('Game')
    await new Promise((resolve) => setTimeout(resolve, 20))
    await sweepChanges({ db, log, retention: 10 })
    left = (await db.query(sql`select 1 from countersign.changes`)).length
  }
  expect(await collect(feed.read(old, feed.current(), 'Game'))).toEqual({ changes: [], expired: true })
  const later = await feed.openClass('Game')
  feed.closeClass('Game')
  await insert('next')
  await until(() => seen().length === 2)
  expect(batches.every(({ gap }) => !gap)).toBe(true)
  expect((await collect(feed.read(later, feed.current(), 'Game'))).changes.map(brief)).toEqual([['next', undefined, 0]])
})

test('numbers of transactions that a crash gave out a second time lose nothing', async () => {
  const place = parseLogPosition(await feed.openClass('Game'))
  feed.closeClass('Game')
  if (!place) throw new Error('the feed gives out positions')
  // Simulates failed transactions whose numbers the crash lost.
  const from = encodeLogPosition({ ...place, low: { ...place.low, xmax: place.low.xmax + 1_000 } })
  await insert('numbered again')
  await until(() => seen().length === 1)
  expect((await collect(feed.read(from, feed.current(), 'Game'))).changes.map(brief)).toEqual([
    ['numbered again', undefined, 0],
  ])
})

test('a restored database: the old log is dropped, old places are expired, and watchers learn of the gap', async () => {
  const old = feed.current()
  await insert('of the past')
  await until(() => seen().length === 1)
  await db.query(sql`update countersign.changes set xid = '9000000000'`)
  await db.query(sql`update countersign.live_state set incarnation = 'another-00000001', kept_from = '8000000000'`)
  const next = await createFeed({ db, log, retention })
  try {
    expect(await db.query(sql`select 1 from countersign.changes`)).toEqual([])
    await next.openClass('Game')
    expect((await collect(next.read(old, next.current(), 'Game'))).expired).toBe(true)
    await insert('of today')
    await until(() => seen().some(([id]) => id === 'of today') || batches.some(({ gap }) => gap))
    const fresh = next.current()
    await insert('of tomorrow')
    await next.openClass('Game')
    expect((await collect(next.read(fresh, next.current(), 'Game'))).changes.map(brief).at(-1)?.[0]).toBe('of tomorrow')
  } finally {
    await next.stop()
  }
})

test('a class that is not renewed is dropped', async () => {
  await db.query(sql`update countersign.live_classes set wanted_until = now() - interval '1 second'`)
  await sweepChanges({ db, log, retention })
  expect(await triggers('Game')).toBe(0)
  const place = feed.current()
  await insert('unrecorded')
  // Watched again: a former reader cannot continue from there, because changes in between were not recorded.
  const again = await createFeed({ db, log, retention })
  await again.openClass('Game')
  expect(await triggers('Game')).toBe(1)
  expect((await collect(again.read(place, again.current(), 'Game'))).expired).toBe(true)
  await again.stop()
})

test('one whose class was forgotten all the same learns of the gap, and is notified again from there on', async () => {
  const own = await createFeed({ db, log, retention: 2_000 })
  const got: WatchedBatch[] = []
  own.watch((batch) => void got.push(batch))
  await own.openClass('Game')
  // At once: it is renewed from time to time, under the same lock.
  await db.transaction(async () => {
    await db.query(sql`select pg_advisory_xact_lock(hashtext('countersign:live'), hashtext('Game'))`)
    await db.query(sql`update countersign.live_classes set wanted_until = now() - interval '1 second'`)
    await db.query(sql`select countersign.forget_class('Game')`)
  })
  await insert('lost to it')
  await until(() => got.some(({ gap }) => gap))
  await insert('sent again')
  await until(() => got.some(({ changes }) => changes.length > 0))
  expect(got.flatMap(({ changes }) => changes.map(brief))).toEqual([['sent again', undefined, 0]])
  await own.stop()
})
