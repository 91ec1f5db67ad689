import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { restoreBackup } from '../../backup/restoreBackup.ts'
import { writeBackup } from '../../backup/writeBackup.ts'
import { sql } from '../../db/sql.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { openLiveSocket } from '../../testing/openLiveSocket.ts'
import { openSpread, openTestDatabase, type TestDatabase } from '../../testing/openTestDatabase.ts'
import { startWriters } from '../../testing/startWriters.ts'
import { tableOf } from '../ClassSchema.ts'
import { findLayout, type WantedLayout } from './Layout.ts'
import { moveClass } from './moveClass.ts'
import { listDistributed } from './refuseDistributed.ts'

const master = { master: true }

test('34-8: a database without Citus has no distributed tables', async () => {
  const database = await openTestDatabase({ template: 'migrated' })
  expect(await listDistributed(database.db)).toEqual([])
  await database.close()
})

test.skipIf(process.env.TEST_CITUS_URL)('34-8: distribute without Citus ends the start with the reason', async () => {
  await expect(createTestServer({ distribute: { Big: { shards: 4 } } })).rejects.toThrow(
    /distribute needs (the extension Citus|a PostgreSQL server)/,
  )
})

describe.skipIf(!process.env.TEST_CITUS_URL)('on Citus', () => {
  let database: TestDatabase
  let server: TestServer

  beforeAll(async () => {
    database = await openSpread()
    server = await createTestServer(
      { webhooks: { allowPrivateAddresses: true } },
      { ...database, close: async () => {} },
    )
  })
  afterAll(async () => {
    await server?.stop()
    await database?.close()
  })

  const tableFor = (className: string) => tableOf(server.context.classes.get(className))

  async function fill(className: string, rows: number): Promise<void> {
    await server.call('POST', `/classes/${className}`, { n: 0, keep: 'first' })
    await database.db.query(sql`
      insert into ${tableFor(className)} ("objectId", "createdAt", "updatedAt", n, keep)
      select 'filled' || i, now() - i * interval '2 hours', now(), -i, 'row ' || i from generate_series(1, ${rows}) i`)
  }

  test('34-8: a class that somebody distributed is refused at start with the reason, until it is local again', async () => {
    const own = await openSpread()
    const { db } = own
    const kept = { ...own, close: async () => {} }
    onTestFinished(() => own.close())
    const first = await createTestServer({}, kept)
    for (let n = 1; n <= 5; n++) await first.call('POST', '/classes/Big', { n })
    const { config, keys } = first.context
    await first.stop()
    await db.query(sql`select create_distributed_table('public."Big"', 'objectId')`)
    await expect(createTestServer({}, kept)).rejects.toThrow('Citus has distributed public."Big"')
    // A backup of such an installation is complete: it is the way back.
    const target = await openTestDatabase()
    await restoreBackup({ db: target.db, config, bytes: writeBackup({ db, config, keys }) })
    expect(await target.db.query(sql`select n from "Big" order by n`)).toEqual([1, 2, 3, 4, 5].map((n) => ({ n })))
    await target.close()
    await db.query(sql`select undistribute_table('public."Big"')`)
    const again = await createTestServer({}, kept)
    expect((await again.call('GET', '/classes/Big?count=1&limit=0')).body).toMatchObject({ count: 5 })
    await again.stop()
  })

  test('34-8: a class is distributed, gets other shards and comes back while it is written: nothing is lost', async () => {
    const { db } = database
    await fill('Moving', 2_000)
    await server.call('PUT', '/schemas/Moving', { indexes: { byN: { n: -1 } } }, master)
    const socket = await openLiveSocket(server)
    onTestFinished(() => socket.close())
    await socket.subscribe(1, { className: 'Moving', where: {} })
    const layouts: WantedLayout[] = [{ by: 'shards', shards: 4 }, { by: 'shards', shards: 6 }, { by: 'none' }]
    const writers = startWriters(server, 'Moving', 4)
    for (const layout of layouts) {
      const from = writers.writes()
      expect(await moveClass(db, 'Moving', layout, { batch: 200 })).toBe('moved')
      expect(await findLayout(db, 'Moving')).toEqual(layout)
      while (writers.writes() < from + 20) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await writers.stop()
    expect(writers.failures).toEqual([])
    const rows = await db.query<{ objectId: string; n: number; keep: string | null }>(
      sql`select "objectId", n, keep from ${tableFor('Moving')}`,
    )
    expect(new Set(rows.map(({ objectId }) => objectId)).size).toBe(rows.length)
    expect(rows.filter(({ n, keep }) => keep === `row ${-n}`)).toHaveLength(2_000)
    const written = rows.filter(({ keep }) => keep === null)
    expect(new Map(written.map(({ objectId, n }) => [objectId, { n }]))).toEqual(writers.state)
    // Each change was reported once, whatever layout the class had.
    const created = () =>
      socket.frames.filter(({ op }) => op === 'create').map(({ object }) => String(object?.objectId))
    const last = () => {
      const seen = new Map<string, unknown>()
      for (const { op, object } of socket.frames) {
        if (op === 'create' || op === 'update') seen.set(String(object?.objectId), { n: object?.n })
        else if (op === 'delete') seen.delete(String(object?.objectId))
      }
      return seen
    }
    await expect.poll(last).toEqual(writers.state)
    expect(new Set(created()).size).toBe(created().length)
    expect(socket.frames.filter(({ op }) => op === 'resync')).toEqual([])
    const left = await db.query(sql`
      select relname from pg_class
      where relnamespace in ('countersign_parts'::regnamespace, 'countersign_shards'::regnamespace)
        and relname like 'Moving%'`)
    expect(left).toEqual([])
  })

  test('34-8: an interrupted distribution goes on where it was, with the fields that were added since', async () => {
    const { db } = database
    await fill('Broken', 1_000)
    const stopper = new AbortController()
    const layout: WantedLayout = { by: 'shards', shards: 4 }
    const first = moveClass(db, 'Broken', layout, {
      batch: 100,
      signal: stopper.signal,
      report: ({ copied }) => copied >= 400 && stopper.abort(new Error('killed')),
    })
    await expect(first).rejects.toThrow('killed')
    expect(await findLayout(db, 'Broken')).toEqual({ by: 'none' })
    // The half-finished copy is no table that somebody distributed by hand.
    expect(await listDistributed(db)).toEqual([])
    await server.call('POST', '/classes/Broken', { n: 7, added: 'later' })
    await server.call('PUT', '/classes/Broken/filled1', { added: 'to an older one' })
    await server.call('DELETE', '/classes/Broken/filled2')
    const seen: number[] = []
    await moveClass(db, 'Broken', layout, { batch: 100, report: ({ copied }) => seen.push(copied) })
    expect(seen[0]).toBeGreaterThanOrEqual(400)
    const found = await server.call('GET', '/classes/Broken?count=1&limit=2&order=-added&keys=added', undefined, master)
    expect(found.body).toMatchObject({ count: 1_001, results: [{ added: 'to an older one' }, { added: 'later' }] })
  })

  test('34-8: two servers: one that missed the change writes no object past the log', async () => {
    const { db } = database
    await fill('Missed', 10)
    const second = await createTestServer({}, { ...database, close: async () => {} })
    onTestFinished(() => second.stop())
    const schema = second.context.classes.get('Missed')
    await moveClass(db, 'Missed', { by: 'shards', shards: 2 })
    // A statement for the local table, as a server writes it that knows nothing yet.
    await expect(
      db.query(sql`update ${tableOf({ ...schema })} set n = 1 where "objectId" = 'filled1'`),
    ).rejects.toMatchObject({ code: '42P01' })
    expect((await second.call('PUT', '/classes/Missed/filled1', { n: 5 })).status).toBe(200)
    expect((await second.call('GET', '/classes/Missed/filled1')).body).toMatchObject({ n: 5 })
  })

  test('34-8: webhooks of a distributed class get each change once, and the object with it', async () => {
    const events: { type: string; className: string; object: { n: number }; original?: { n: number } }[] = []
    const receiver = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request.setEncoding('utf8')) text += chunk
      events.push(JSON.parse(text))
      response.writeHead(204).end()
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    onTestFinished(() => {
      receiver.closeAllConnections()
      receiver.close()
    })
    await fill('Notified', 3)
    await moveClass(database.db, 'Notified', { by: 'shards', shards: 3 })
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const hook = { url, events: ['object.created', 'object.updated', 'object.deleted'], classes: ['Notified'] }
    expect((await server.call('POST', '/webhooks', hook, master)).status).toBe(201)
    const { body } = await server.call('POST', '/classes/Notified', { n: 1 })
    await server.call('PUT', `/classes/Notified/${body.objectId}`, { n: { __op: 'Increment', amount: 1 } })
    await server.call('DELETE', `/classes/Notified/${body.objectId}`)
    await server.call('DELETE', '/purge/Notified', undefined, master)
    await expect.poll(() => events.length).toBe(7)
    expect(events.slice(0, 3)).toMatchObject([
      { type: 'object.created', className: 'Notified', object: { n: 1 } },
      { type: 'object.updated', object: { n: 2 }, original: { n: 1 } },
      { type: 'object.deleted', object: { n: 2 } },
    ])
    expect(events.slice(3).map(({ type }) => type)).toEqual(Array(4).fill('object.deleted'))
  })

  test('34-8: relations stay with the objects of a distributed class, both ways, and go with them', async () => {
    const { db } = database
    const user = await server.signUp('liked')
    const likes = { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_User', objectId: user.objectId }] }
    const { body } = await server.call('POST', '/classes/Related', { n: 1, likes })
    await moveClass(db, 'Related', { by: 'shards', shards: 2 })
    const second = await server.call('POST', '/classes/Related', { n: 2, likes })
    const pointer = { __type: 'Pointer', className: 'Related', objectId: second.body.objectId }
    const ask = (path: string, where: object) =>
      server.call('GET', `${path}?where=${encodeURIComponent(JSON.stringify(where))}`, undefined, master)
    expect((await ask('/users', { $relatedTo: { object: pointer, key: 'likes' } })).body.results).toHaveLength(1)
    const liked = { likes: { __type: 'Pointer', className: '_User', objectId: user.objectId } }
    expect((await ask('/classes/Related', liked)).body.results).toHaveLength(2)
    await server.call('DELETE', `/classes/Related/${body.objectId}`)
    expect(await db.query(sql`select "owningId" as id from "_Join:likes:Related"`)).toEqual([
      { id: second.body.objectId },
    ])
    await moveClass(db, 'Related', { by: 'none' })
    await server.call('DELETE', `/classes/Related/${second.body.objectId}`)
    expect(await db.query(sql`select 1 from "_Join:likes:Related"`)).toEqual([])
  })

  test('34-8: a unique index is refused with the reason, before and after', async () => {
    const { db } = database
    await fill('Unfit', 5)
    await server.call('PUT', '/schemas/Unfit', { indexes: { one: { n: 1, unique: true } } }, master)
    await expect(moveClass(db, 'Unfit', { by: 'shards', shards: 2 })).rejects.toThrow('does not contain objectId')
    await server.call('PUT', '/schemas/Unfit', { indexes: { one: { __op: 'Delete' } } }, master)
    await moveClass(db, 'Unfit', { by: 'shards', shards: 2 })
    const again = await server.call('PUT', '/schemas/Unfit', { indexes: { one: { n: 1, unique: true } } }, master)
    expect(again).toMatchObject({ status: 400, body: { error: expect.stringContaining('distributed by objectId') } })
  })

  test('34-8, 34-9: with read replicas, a distributed class is read from the primary', async () => {
    await fill('Local', 3)
    await fill('Remote', 3)
    await moveClass(database.db, 'Remote', { by: 'shards', shards: 2 })
    // The coordinator stands for its standby: queries that may be old go there by another connection.
    const replicaUrl = String(database.databaseUrl)
    const second = await createTestServer({ replicaUrl }, { ...database, close: async () => {} })
    onTestFinished(() => second.stop())
    const ask = async (path: string) => {
      const { status, headers } = await second.call('GET', `${path}maxStaleness=30`, undefined, master)
      return [status, headers.get('X-Countersign-Read-From')]
    }
    await expect.poll(() => ask('/classes/Local?')).toEqual([200, expect.stringMatching(/^replica; age=/)])
    expect(await ask('/classes/Remote?')).toEqual([200, 'primary'])
    expect(await ask('/classes/Remote/filled1?')).toEqual([200, 'primary'])
    const within = { keep: { $select: { key: 'keep', query: { className: 'Remote', where: {} } } } }
    expect(await ask(`/classes/Local?where=${encodeURIComponent(JSON.stringify(within))}&`)).toEqual([200, 'primary'])
  })

  test('34-8: changes inside a list of a distributed class', async () => {
    await fill('Listed', 1)
    await moveClass(database.db, 'Listed', { by: 'shards', shards: 2 })
    const { body } = await server.call('POST', '/classes/Listed', { n: 1, list: [{ a: 1 }] })
    const path = `/classes/Listed/${body.objectId}`
    const change = { 'list.0.a': { __op: 'Increment', amount: 2 } }
    expect((await server.call('PUT', path, change)).status).toBe(200)
    expect((await server.call('GET', path)).body.list).toEqual([{ a: 3 }])
    expect(await server.call('PUT', '/classes/Listed/filled1', change)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('The list does not exist yet') },
    })
  })

  test('34-8: the number of objects in a large class is estimated from a shard', async () => {
    const rows = 600_000
    await fill('Counted', 1)
    await moveClass(database.db, 'Counted', { by: 'shards', shards: 4 })
    const count = (where: object) =>
      server.call('POST', '/classes/Counted', { _method: 'GET', limit: 0, count: 'estimate', where }, master)
    expect((await count({})).body).toEqual({ results: [], count: 2 })
    await database.db.query(sql`
      insert into ${tableFor('Counted')} ("objectId", "createdAt", "updatedAt", n)
      select 'more' || i, now(), now(), i % 10 from generate_series(1, ${rows}) i`)
    await database.db.query(sql`analyze ${tableFor('Counted')}`)
    const { body: all } = await count({})
    expect(all.isEstimate).toBe(true)
    expect(Math.abs(Number(all.count) - rows)).toBeLessThan(rows / 10)
    const { body: some } = await count({ n: 3 })
    expect(Math.abs(Number(some.count) - rows / 10)).toBeLessThan(rows / 20)
    expect((await count({ objectId: 'more5' })).body).toEqual({ results: [], count: 1 })
  })
})
