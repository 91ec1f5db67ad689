import { expect, onTestFinished, test } from 'vitest'
import { restoreBackup } from '../../backup/restoreBackup.ts'
import { writeBackup } from '../../backup/writeBackup.ts'
import { ConfigError } from '../../config/ConfigError.ts'
import { readConfig } from '../../config/readConfig.ts'
import { openDatabase } from '../../db/openDatabase.ts'
import { sql } from '../../db/sql.ts'
import { createLogger } from '../../log/createLogger.ts'
import { getTemplate } from '../../testing/getTemplate.ts'
import { openLiveSocket } from '../../testing/openLiveSocket.ts'
import { openTestDatabase } from '../../testing/openTestDatabase.ts'
import { serveTests } from '../../testing/serveTests.ts'
import { findLayout, recordLayouts } from './Layout.ts'
import { tendParts } from './tendParts.ts'

const server = serveTests({
  partition: { Spread: { by: 'hash', parts: 4 }, Log: { by: 'month', keep: '12 months' } },
  allowCustomObjectId: true,
})
const master = { master: true }

const create = (className: string, fields: object) => server.call('POST', `/classes/${className}`, fields)

const parts = (className: string) =>
  server.context.db.query<{ name: string; rows: number }>(sql`
    select c.relname::text as name, (xpath('/row/c/text()', query_to_xml(
      'select count(*) as c from ' || c.oid::regclass, false, true, '')))[1]::text::integer as rows
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${`public."${className}"`}::regclass order by 1`)

/** An object with a time of its own, as an import or an operator would write it. */
const put = (className: string, objectId: string, createdAt: string) =>
  server.context.db.query(sql`
    insert into ${sql.table(className)} ("objectId", "createdAt", "updatedAt") values (${objectId}, ${createdAt}, now())`)

test('34-7: a class that the configuration names is created with its parts, and objects spread over them', async () => {
  await Promise.all(Array.from({ length: 40 }, (_, n) => create('Spread', { n })))
  expect(await findLayout(server.context.db, 'Spread')).toEqual({ by: 'hash', parts: 4 })
  const found = await parts('Spread')
  expect(found.every(({ rows }) => rows > 0)).toBe(true)
  expect(found.reduce((sum, { rows }) => sum + rows, 0)).toBe(40)
  const { body } = await server.call('GET', '/classes/Spread?order=-n&limit=3&count=1')
  expect(body).toMatchObject({ count: 40, results: [{ n: 39 }, { n: 38 }, { n: 37 }] })
})

test('34-7: a unique index without the field that decides on the part is refused with the reason', async () => {
  await create('Spread', { n: 1, code: 'a' })
  const refused = await server.call('PUT', '/schemas/Spread', { indexes: { one: { code: 1, unique: true } } }, master)
  const made = await server.call('PUT', '/schemas/Spread', { indexes: { byCode: { code: 1 } } }, master)
  expect(made.status).toBe(200)
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining('partitioned by objectId') } })
})

test('34-7: fields and relations are added, and the class is deleted with its parts', async () => {
  const { body } = await create('Spread', { n: 1 })
  const user = await server.signUp('related')
  const related = { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_User', objectId: user.objectId }] }
  expect((await server.call('PUT', `/classes/Spread/${body.objectId}`, { likes: related, more: 'x' })).status).toBe(200)
  expect((await server.call('DELETE', `/classes/Spread/${body.objectId}`)).status).toBe(200)
  await server.call('DELETE', '/purge/Spread', undefined, master)
  expect((await server.call('DELETE', '/schemas/Spread', undefined, master)).status).toBe(200)
  const left = await server.context.db.query(sql`
    select relname from pg_class where relnamespace = 'countersign_parts'::regnamespace and relname like 'Spread%'`)
  expect(left).toEqual([])
})

test('34-7: a class by month has parts ahead, and no id is used twice over months', async () => {
  const socket = await openLiveSocket(server)
  onTestFinished(() => socket.close())
  await create('Log', { text: 'first' })
  await socket.subscribe(1, { className: 'Log', where: {} })
  const { body } = await create('Log', { text: 'second', objectId: 'chosen' })
  expect((await socket.next('create')).object).toMatchObject({ className: 'Log', objectId: body.objectId })
  expect(await parts('Log')).toHaveLength(5)
  expect((await create('Log', { text: 'again', objectId: 'chosen' })).body).toMatchObject({ code: 137 })
  await expect(put('Log', 'chosen', '2026-01-05Z')).rejects.toMatchObject({ code: '23505' })
  await put('Log', 'older', '2026-01-05Z')
  expect((await create('Log', { text: 'again', objectId: 'older' })).body).toMatchObject({ code: 137 })
})

test('34-7: two writers who choose the same id for different months: one of them is refused', async () => {
  const { db } = server.context
  await create('Log', { text: 'there' })
  for (let round = 0; round < 10; round++) {
    const results = await Promise.allSettled([
      put('Log', `race${round}`, new Date().toISOString()),
      put('Log', `race${round}`, '2026-02-05Z'),
    ])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  }
  const doubled = await db.query(sql`select "objectId" from "Log" group by 1 having count(*) > 1`)
  expect(doubled).toEqual([])
})

test('34-7: a class by month can have no relations, and a unique index must contain createdAt', async () => {
  const { body } = await create('Log', { text: 'x' })
  const user = await server.signUp('unrelated')
  const related = { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_User', objectId: user.objectId }] }
  const refused = await server.call('PUT', `/classes/Log/${body.objectId}`, { likes: related })
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining('partitioned by month') } })
})

test('34-7: upkeep makes the months ahead, drops those beyond keep and says so in the log', async () => {
  const { db, config } = server.context
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => void lines.push(line) })
  await create('Log', { text: 'now' })
  await db.query(sql`select countersign.add_month_part('"Log"'::regclass, '2024-03-01Z')`)
  await put('Log', 'old', '2024-03-05Z')
  await put('Log', 'ancient', '1999-03-05Z')
  const next = new Date(Date.now() + 40 * 86_400_000)
  const before = (await parts('Log')).length
  await tendParts({ db, config, log, now: () => next })
  const after = await parts('Log')
  expect(after.length).toBeGreaterThanOrEqual(before)
  expect(after.map(({ name }) => name)).not.toContainEqual(expect.stringContaining('2024-03'))
  const rest = await db.query<{ objectId: string }>(sql`select "objectId" from "Log" where "createdAt" < '2025-01-01'`)
  expect(rest).toEqual([])
  expect(lines.join('')).toMatch(/part with old objects dropped/)
  expect(lines.join('')).toMatch(/parts for the coming months created/)
})

test('34-7: a clock that is ten years ahead drops nothing', async () => {
  const { db, config } = server.context
  const log = createLogger('silent')
  const recent = new Date(Date.now() - 60 * 86_400_000).toISOString()
  await create('Log', { text: 'now' })
  await db.query(sql`select countersign.add_month_part('"Log"'::regclass, ${recent}::timestamptz)`)
  await put('Log', 'recent', recent)
  await put('Log', 'later', '2090-03-05Z')
  await tendParts({ db, config, log, now: () => new Date(Date.now() + 3_650 * 86_400_000) })
  const kept = await db.query(sql`select "objectId" from "Log" where "objectId" in ('recent', 'later') order by 1`)
  expect(kept).toEqual([{ objectId: 'later' }, { objectId: 'recent' }])
})

test('34-7: a part that is made for a month takes its objects from the part for everything else', async () => {
  const { db } = server.context
  await create('Log', { text: 'now' })
  await put('Log', 'stray', '2025-12-05Z')
  await db.query(sql`select countersign.add_month_part('"Log"'::regclass, '2025-12-20Z')`)
  const found = await parts('Log')
  expect(found.find(({ name }) => name.endsWith('2025-12'))).toMatchObject({ rows: 1 })
})

test('34-7: a backup is restored into parts, months of old objects included', async () => {
  const { db, config, keys } = server.context
  await create('Spread', { n: 1 })
  await create('Log', { text: 'kept' })
  await put('Log', 'kept', '2026-03-05Z')
  const target = await openTestDatabase()
  onTestFinished(() => target.close())
  await restoreBackup({ db: target.db, config, bytes: writeBackup({ db, config, keys }) })
  expect(await findLayout(target.db, 'Spread')).toEqual({ by: 'hash', parts: 4 })
  expect(await findLayout(target.db, 'Log')).toEqual({ by: 'month' })
  const rows = (from: typeof db) => from.query(sql`select "objectId", "createdAt" from "Log" order by 1`)
  expect(await rows(target.db)).toEqual(await rows(db))
  const [part] = await target.db.query(
    sql`select tableoid::regclass::text as name from "Log" where "objectId" = 'kept'`,
  )
  expect(part).toMatchObject({ name: expect.stringContaining('2026-03') })
})

test('34-7: wrong settings are refused with the reason', async () => {
  const read = (partition: object) => readConfig({ environment: {}, folder: '/nonexistent', flags: { partition } })
  for (const wrong of [
    { Log: { by: 'hash', parts: 1 } },
    { Log: { by: 'month', field: 'time' } },
    { Log: { by: 'month', keep: '12 weeks' } },
    { Log: { by: 'week' } },
    { _User: { by: 'hash', parts: 4 } },
  ]) {
    await expect(read(wrong)).rejects.toThrow(ConfigError)
  }
  const embedded = await openDatabase({ dataFolder: 'memory://', template: await getTemplate('empty') })
  onTestFinished(() => embedded.close())
  await expect(recordLayouts(embedded, await read({ Log: { by: 'month' } }))).rejects.toThrow(
    'needs a PostgreSQL server',
  )
})
