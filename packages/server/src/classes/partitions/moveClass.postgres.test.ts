import { expect, onTestFinished, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { createLogger } from '../../log/createLogger.ts'
import { openLiveSocket } from '../../testing/openLiveSocket.ts'
import { serveTests } from '../../testing/serveTests.ts'
import { startWriters } from '../../testing/startWriters.ts'
import { findLayout, type Layout } from './Layout.ts'
import { moveClass } from './moveClass.ts'
import { tendParts } from './tendParts.ts'

const server = serveTests()
const master = { master: true }

async function fill(className: string, rows: number): Promise<void> {
  await server.call('POST', `/classes/${className}`, { n: 0, keep: 'first' })
  await server.context.db.query(sql`
    insert into ${sql.table(className)} ("objectId", "createdAt", "updatedAt", n, keep)
    select 'filled' || i, now() - i * interval '2 hours', now(), -i, 'row ' || i from generate_series(1, ${rows}) i`)
}

const readAll = (className: string) =>
  server.context.db.query<{ objectId: string; n: number; keep: string | null }>(
    sql`select "objectId", n, keep from ${sql.table(className)} order by "objectId"`,
  )

const until = async (check: () => boolean) => {
  while (!check()) await new Promise((resolve) => setTimeout(resolve, 5))
}

type Wanted = Exclude<Layout, { by: 'hand' }>

test('34-7: a class changes its layout while it is written, and nothing is lost, doubled or refused', async () => {
  const { db } = server.context
  await fill('Moving', 3_000)
  await server.call('PUT', '/schemas/Moving', { indexes: { byN: { n: -1 } } }, master)
  const socket = await openLiveSocket(server)
  onTestFinished(() => socket.close())
  await socket.subscribe(1, { className: 'Moving', where: {} })
  const layouts: Wanted[] = [{ by: 'hash', parts: 3 }, { by: 'hash', parts: 5 }, { by: 'month' }, { by: 'none' }]
  const writers = startWriters(server, 'Moving', 4)
  for (const layout of layouts) {
    const from = writers.writes()
    const steps: string[] = []
    expect(await moveClass(db, 'Moving', layout, { batch: 200, report: ({ step }) => steps.push(step) })).toBe('moved')
    expect(steps.at(-1)).toBe('done')
    expect(await findLayout(db, 'Moving')).toEqual(layout)
    await until(() => writers.writes() > from + 20)
  }
  await writers.stop()
  expect(writers.failures).toEqual([])
  expect(writers.writes()).toBeGreaterThan(100)
  const rows = await readAll('Moving')
  expect(new Set(rows.map(({ objectId }) => objectId)).size).toBe(rows.length)
  const filled = rows.filter(({ objectId }) => objectId.startsWith('filled'))
  expect(filled.length).toBe(3_000)
  expect(filled.every(({ objectId, n, keep }) => keep === `row ${-n}` && objectId === `filled${-n}`)).toBe(true)
  const written = rows.filter(({ objectId, keep }) => !objectId.startsWith('filled') && keep === null)
  expect(Object.fromEntries(written.map(({ objectId, n }) => [objectId, n]))).toEqual(
    Object.fromEntries([...writers.state].map(([objectId, { n }]) => [objectId, n])),
  )
  // Every created object was reported once: the triggers came along each time.
  const created = () => socket.frames.filter(({ op }) => op === 'create').map(({ object }) => String(object?.objectId))
  const missing = () => [...writers.state.keys()].filter((objectId) => !created().includes(objectId))
  await expect.poll(missing).toEqual([])
  expect(new Set(created()).size).toBe(created().length)
  const [index] = await db.query<{ definition: string }>(
    sql`select indexdef as definition from pg_indexes where indexname = 'Moving:byN'`,
  )
  expect(index?.definition).toContain('n DESC')
  const left = await db.query(sql`
    select relname from pg_class where relnamespace = 'countersign_parts'::regnamespace and relname like 'Moving%'`)
  expect(left).toEqual([])
}, 600_000)

test('34-7: an interrupted move goes on where it was, with the fields that were added since', async () => {
  const { db } = server.context
  await fill('Broken', 2_000)
  const stopper = new AbortController()
  const first = moveClass(
    db,
    'Broken',
    { by: 'hash', parts: 4 },
    {
      batch: 100,
      signal: stopper.signal,
      report: ({ copied }) => copied >= 700 && stopper.abort(new Error('killed')),
    },
  )
  await expect(first).rejects.toThrow('killed')
  expect(await findLayout(db, 'Broken')).toEqual({ by: 'none' })
  const { body } = await server.call('POST', '/classes/Broken', { n: 7, added: 'later' })
  await server.call('PUT', '/classes/Broken/filled1', { added: 'to an older one' })
  await server.call('DELETE', '/classes/Broken/filled2')
  const seen: number[] = []
  await moveClass(db, 'Broken', { by: 'hash', parts: 4 }, { batch: 100, report: ({ copied }) => seen.push(copied) })
  expect(seen[0]).toBeGreaterThanOrEqual(700)
  expect(await findLayout(db, 'Broken')).toEqual({ by: 'hash', parts: 4 })
  expect((await readAll('Broken')).length).toBe(2_001)
  const rows = await db.query(sql`select "objectId", added from "Broken" where added is not null order by added`)
  expect(rows).toEqual([
    { objectId: body.objectId, added: 'later' },
    { objectId: 'filled1', added: 'to an older one' },
  ])
})

test('34-7: relations and grants survive the move', async () => {
  const { db } = server.context
  const user = await server.signUp('liked')
  const likes = { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_User', objectId: user.objectId }] }
  const { body } = await server.call('POST', '/classes/Related', { n: 1 })
  await server.call('PUT', `/classes/Related/${body.objectId}`, { likes })
  await db.query(sql`grant select on "Related" to public`)
  await moveClass(db, 'Related', { by: 'hash', parts: 2 })
  const pointer = { __type: 'Pointer', className: 'Related', objectId: body.objectId }
  const where = encodeURIComponent(JSON.stringify({ $relatedTo: { object: pointer, key: 'likes' } }))
  expect((await server.call('GET', `/users?where=${where}`, undefined, master)).body.results).toHaveLength(1)
  const granted = sql`select relacl::text like '%,=r/%' as granted from pg_class where oid = '"Related"'::regclass`
  expect(await db.query(granted)).toEqual([{ granted: true }])
  await server.call('DELETE', `/classes/Related/${body.objectId}`)
  expect(await db.query(sql`select 1 from "_Join:likes:Related"`)).toEqual([])
  await expect(moveClass(db, 'Related', { by: 'month' })).rejects.toThrow('it has relations')
})

test('34-7: a backup that is being written delays the swap and holds every object', async () => {
  const { db } = server.context
  await fill('Slow', 500)
  const snapshot = await db.snapshot()
  const steps: string[] = []
  const moving = moveClass(db, 'Slow', { by: 'hash', parts: 2 }, { report: ({ step }) => steps.push(step) })
  await until(() => steps.includes('waiting'))
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const [counted] = await snapshot.query<{ count: number }>(sql`select count(*)::integer as count from "Slow"`)
  await snapshot.close()
  expect(counted).toEqual({ count: 501 })
  expect(await moving).toBe('moved')
})

test('34-7: a class that would lose something is refused before anything is copied', async () => {
  const { db } = server.context
  await fill('Unfit', 10)
  await server.call('PUT', '/schemas/Unfit', { indexes: { one: { n: 1, unique: true } } }, master)
  await expect(moveClass(db, 'Unfit', { by: 'hash', parts: 2 })).rejects.toThrow(
    '"Unfit:one" does not contain objectId',
  )
  await fill('Viewed', 10)
  await db.query(sql`create view "seen" as select * from "Viewed"`)
  await expect(moveClass(db, 'Viewed', { by: 'hash', parts: 2 })).rejects.toThrow('view seen reads its table')
  await fill('Published', 10)
  await db.query(sql`create publication warehouse for table "Published"`)
  await expect(moveClass(db, 'Published', { by: 'hash', parts: 2 })).rejects.toThrow('publication warehouse')
  expect(await db.query(sql`select 1 from countersign.class_moves`)).toEqual([])
  await expect(moveClass(db, 'Absent', { by: 'hash', parts: 2 })).rejects.toThrow('There is no class Absent')
})

test('34-7: no part is dropped while its class is copied, which would bring the objects back', async () => {
  const { db } = server.context
  const config = { partition: { Aging: { by: 'month', field: 'createdAt', keep: '12 months' } as const } }
  const tend = () => tendParts({ db, config, log: createLogger('silent'), now: () => new Date() })
  await fill('Aging', 50)
  expect(await moveClass(db, 'Aging', { by: 'month' })).toBe('moved')
  await db.query(sql`select countersign.add_month_part('"Aging"'::regclass, '2024-03-01Z')`)
  await db.query(sql`
    insert into "Aging" ("objectId", "createdAt", "updatedAt") values ('old', '2024-03-05Z', now())`)
  const old = () => db.query(sql`select 1 from "Aging" where "objectId" = 'old'`)
  const hash = { by: 'hash', parts: 2 } as const
  const interrupted = new AbortController()
  const report = () => interrupted.abort(new Error('interrupted'))
  await expect(moveClass(db, 'Aging', hash, { report, signal: interrupted.signal })).rejects.toThrow('interrupted')
  await tend()
  expect(await old()).toHaveLength(1)
  expect(await moveClass(db, 'Aging', hash)).toBe('moved')
  expect(await moveClass(db, 'Aging', { by: 'month' })).toBe('moved')
  await tend()
  expect(await old()).toEqual([])
})

test('34-7: a class that is deleted while it is copied leaves nothing behind', async () => {
  const { db } = server.context
  await fill('Gone', 500)
  let deleting: Promise<unknown> | undefined
  const moving = moveClass(
    db,
    'Gone',
    { by: 'hash', parts: 2 },
    {
      batch: 50,
      report: ({ copied }) => {
        if (copied < 100) return
        deleting ??= server
          .call('DELETE', '/purge/Gone', undefined, master)
          .then(() => server.call('DELETE', '/schemas/Gone', undefined, master))
      },
    },
  )
  await moving.catch((error) => expect(String(error)).toContain('Gone'))
  expect(await deleting).toMatchObject({ status: 200 })
  await expect.poll(() => server.context.classes.find('Gone')).toBe(undefined)
  const left = await db.query(sql`
    select relname from pg_class where relnamespace = 'countersign_parts'::regnamespace and relname like 'Gone%'`)
  expect(left).toEqual([])
})
