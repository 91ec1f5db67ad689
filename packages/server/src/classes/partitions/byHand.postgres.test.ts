import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { restoreBackup } from '../../backup/restoreBackup.ts'
import { writeBackup } from '../../backup/writeBackup.ts'
import { sql } from '../../db/sql.ts'
import { openLiveSocket } from '../../testing/openLiveSocket.ts'
import { openTestDatabase } from '../../testing/openTestDatabase.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests({ webhooks: { allowPrivateAddresses: true } })

/** Does by hand what an operator would: the class becomes a table of two parts, which keep no name of ours. */
async function partitionByHand(className: string): Promise<void> {
  const { db } = server.context
  const [old, table] = [sql.id(`${className}Old`), sql.table(className)]
  await db.transaction(async () => {
    await db.query(sql`alter table ${table} rename to ${old}`)
    await db.query(sql`
      create table ${table} (like public.${old} including defaults, primary key ("objectId")) partition by hash ("objectId")`)
    for (const part of [0, 1]) {
      await db.query(sql`
        create table public.${sql.id(`${className}_${part}`)} partition of ${table}
        for values with (modulus 2, remainder ${sql.raw(part)})`)
    }
    await db.query(sql`insert into ${table} select * from public.${old}`)
    await db.query(sql`drop table public.${old}`)
  })
}

const create = async (className: string, fields: object) =>
  String((await server.call('POST', `/classes/${className}`, fields)).body.objectId)

test('34-13: live queries deliver the changes of a class that was partitioned by hand', async () => {
  await create('Parted', { n: 0 })
  await partitionByHand('Parted')
  const socket = await openLiveSocket(server)
  onTestFinished(() => socket.close())
  await socket.subscribe(1, { className: 'Parted', where: {} })
  const ids = await Promise.all([1, 2, 3, 4, 5].map((n) => create('Parted', { n })))
  for (const id of ids) {
    expect((await socket.next((frame) => frame.op === 'create' && frame.object?.objectId === id)).object).toMatchObject(
      { className: 'Parted' },
    )
  }
  await server.call('PUT', `/classes/Parted/${ids[0]}`, { n: 10 })
  expect((await socket.next('update')).object).toMatchObject({ objectId: ids[0], n: 10 })
  await server.call('DELETE', `/classes/Parted/${ids[0]}`)
  expect((await socket.next('delete')).object).toMatchObject({ objectId: ids[0] })
})

test('34-13: a trigger made before triggers had an argument reports the class, not the part', async () => {
  const { db } = server.context
  await create('Former', { n: 0 })
  await partitionByHand('Former')
  await db.query(sql`select countersign.record_class('Former', '1 minute')`)
  await db.query(sql`
    drop trigger countersign_live on public."Former";
    create trigger countersign_live after insert on public."Former" for each row
      execute function countersign.log_change()`)
  await create('Former', { n: 1 })
  expect(
    await db.query(sql`select distinct class_name from countersign.changes where class_name like 'Former%'`),
  ).toEqual([{ class_name: 'Former' }])
})

test('34-13: webhooks receive the events of a class that was partitioned by hand', async () => {
  const events: { type: string; className: string }[] = []
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
  await create('Notified', { n: 0 })
  await partitionByHand('Notified')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const hook = { url, events: ['object.created', 'object.updated', 'object.deleted'], classes: ['Notified'] }
  expect((await server.call('POST', '/webhooks', hook, { master: true })).status).toBe(201)
  const id = await create('Notified', { n: 1 })
  await server.call('PUT', `/classes/Notified/${id}`, { n: 2 })
  await server.call('DELETE', `/classes/Notified/${id}`)
  await expect.poll(() => events.length).toBe(3)
  expect(events.map(({ className }) => className)).toEqual(['Notified', 'Notified', 'Notified'])
})

test('34-13: a backup holds the objects of a class that was partitioned by hand', async () => {
  const { db, config, keys } = server.context
  const ids = await Promise.all([1, 2, 3, 4, 5].map((n) => create('Kept', { n })))
  await partitionByHand('Kept')
  const target = await openTestDatabase()
  onTestFinished(() => target.close())
  await restoreBackup({ db: target.db, config, bytes: writeBackup({ db, config, keys }) })
  const rows = await target.db.query<{ objectId: string; n: number }>(sql`select "objectId", n from "Kept" order by n`)
  expect(rows).toEqual(ids.map((objectId, at) => ({ objectId, n: at + 1 })))
})
