import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { type LiveFrame, type LiveSocket, openLiveSocket } from '../testing/openLiveSocket.ts'

let server: TestServer
let socket: LiveSocket

beforeAll(async () => {
  server = await createTestServer()
  socket = await openLiveSocket(server)
})
afterAll(async () => {
  socket.close()
  await server.stop()
})

const create = async (fields: object): Promise<string> => {
  const { status, body, text } = await server.call('POST', '/classes/Score', fields)
  expect(status, text).toBe(201)
  return (body as { objectId: string }).objectId
}

/** Operations by request, until the change that ends the list arrives. */
async function eventsUntil(last: string): Promise<{ [requestId: string]: string[] }> {
  const isLast = ({ requestId, object }: LiveFrame) => requestId === 99 && object?.name === last
  await socket.next(isLast)
  const events: { [requestId: string]: string[] } = {}
  for (const { op, requestId, object } of socket.frames) {
    if (!object || requestId === 99) continue
    const key = String(requestId)
    events[key] = [...(events[key] ?? []), op]
  }
  socket.frames.length = 0
  return events
}

test('ranges, beginnings and alternatives receive what enters and leaves them', async () => {
  await create({ points: 0, name: 'first', level: [1] })
  const wheres = [
    { points: { $gte: 10, $lt: 20 } },
    { points: { $gt: 15 } },
    { name: { $regex: '^ad[am]' } },
    { $or: [{ points: { $lt: 0 } }, { name: 'eve' }] },
    { level: { $gt: 5 } },
  ]
  for (const [index, where] of wheres.entries()) {
    expect(await socket.subscribe(index, { className: 'Score', where })).toMatchObject({ op: 'subscribed' })
  }
  await socket.subscribe(99, { className: 'Score', where: { name: { $in: ['end 1', 'end 2'] } } })
  const objectId = await create({ points: 12, name: 'adam', level: [1, 9] })
  for (const changes of [
    { points: 17 },
    { points: 25, name: 'eve' },
    { level: [2, 3] },
    { points: null, name: null },
  ]) {
    expect((await server.call('PUT', `/classes/Score/${objectId}`, changes)).status).toBe(200)
  }
  await create({ name: 'end 1' })
  expect(await eventsUntil('end 1')).toEqual({
    0: ['create', 'update', 'leave'],
    1: ['enter', 'update', 'update', 'leave'],
    2: ['create', 'update', 'leave'],
    3: ['enter', 'update', 'leave'],
    4: ['create', 'update', 'update', 'leave'],
  })
  for (const index of wheres.keys()) socket.send({ op: 'unsubscribe', requestId: index })
})

test('a relative time counts from each subscription', async () => {
  const where = { due: { $lt: { $relativeTime: 'in 1 hour' } } }
  await create({ due: { __type: 'Date', iso: '2000-01-01T00:00:00.000Z' } })
  await socket.subscribe(1, { className: 'Score', where })
  server.clock.forward(24 * 3600_000)
  const later = await openLiveSocket(server)
  await later.subscribe(1, { className: 'Score', where })
  const due = new Date(server.clock.now().getTime() - 3600_000).toISOString()
  await create({ due: { __type: 'Date', iso: due } })
  expect((await later.next('create')).object).toMatchObject({ due: { iso: due } })
  await create({ name: 'end 2' })
  expect(await eventsUntil('end 2')).toEqual({})
  later.close()
})
