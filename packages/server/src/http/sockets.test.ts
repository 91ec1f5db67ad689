import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { type LiveSocket, openLiveSocket } from '../testing/openLiveSocket.ts'

let server: TestServer
const opened: LiveSocket[] = []
beforeAll(async () => {
  server = await createTestServer()
})
afterEach(() => {
  for (const socket of opened.splice(0)) socket.close()
})
afterAll(() => server.stop())

async function open(options: Parameters<typeof openLiveSocket>[1] = {}) {
  const socket = await openLiveSocket(server, options)
  opened.push(socket)
  return socket
}
const make = async (className: string, fields: object, options = {}) =>
  (await server.call('POST', `/classes/${className}`, fields, options)).body.objectId as string
const change = (className: string, id: string, fields: object, options = {}) =>
  server.call('PUT', `/classes/${className}/${id}`, fields, options)

test('R24: the five events arrive with what was before, as objects of the wire', async () => {
  const socket = await open({ connect: { installationId: 'device "one"' } })
  expect(socket.frames[0]).toEqual({ op: 'connected', clientId: expect.any(String), installationId: 'device "one"' })
  const answer = await socket.subscribe(7, { className: 'Score', where: { n: { $gte: 10 } } })
  expect(answer).toEqual({
    op: 'subscribed',
    clientId: socket.frames[0]?.clientId,
    installationId: 'device "one"',
    requestId: 7,
  })
  const id = await make('Score', { n: 10, born: { __type: 'Date', iso: '2020-01-02T03:04:05.678Z' } })
  const created = await socket.next('create')
  expect(created).toEqual({
    op: 'create',
    clientId: socket.frames[0]?.clientId,
    installationId: 'device "one"',
    requestId: 7,
    object: {
      className: 'Score',
      objectId: id,
      n: 10,
      born: { __type: 'Date', iso: '2020-01-02T03:04:05.678Z' },
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  })
  await change('Score', id, { n: 11 })
  expect(await socket.next('update')).toMatchObject({ object: { n: 11 }, original: { n: 10, className: 'Score' } })
  await change('Score', id, { n: 1 })
  expect(await socket.next('leave')).toMatchObject({ object: { n: 1 }, original: { n: 11 } })
  await change('Score', id, { n: 2 })
  await change('Score', id, { n: 20 })
  expect(await socket.next('enter')).toMatchObject({ object: { n: 20 }, original: { n: 2 } })
  await server.call('DELETE', `/classes/Score/${id}`)
  const deleted = await socket.next('delete')
  expect(deleted).toMatchObject({ object: { n: 20, objectId: id } })
  expect(deleted).not.toHaveProperty('original')
  expect(socket.frames.map(({ op }) => op)).toEqual([
    'connected',
    'subscribed',
    'create',
    'update',
    'leave',
    'enter',
    'delete',
  ])
})
