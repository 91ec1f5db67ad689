import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { type LiveFrame, type LiveSocket, openLiveSocket } from '../testing/openLiveSocket.ts'
import { serveTests } from '../testing/serveTests.ts'

const opened: LiveSocket[] = []
const bound = 65_536
const server = serveTests({ liveQuery: { maxBufferedBytes: bound } })
afterEach(() => {
  for (const socket of opened.splice(0)) socket.close()
})

async function open(connect: object = { features: ['positions'] }) {
  const socket = await openLiveSocket(server, { connect })
  opened.push(socket)
  return socket
}
const make = async (className: string, fields: object, options = {}) => {
  const { status, body } = await server.call('POST', `/classes/${className}`, fields, options)
  expect(status).toBe(201)
  return body.objectId as string
}
const isEvent = ({ op }: LiveFrame) => ['create', 'update', 'enter', 'leave', 'delete'].includes(op)
const numbers = (frames: LiveFrame[]) => frames.filter(isEvent).map(({ object }) => object?.n)
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

test('R24: a client that reconnects receives what it missed, in order, and then continues', async () => {
  const first = await open()
  const start = await first.subscribe(1, { className: 'Step', where: { kind: 'a' } })
  expect(start).toMatchObject({ op: 'subscribed', position: expect.any(String) })
  await make('Step', { n: 0, kind: 'a' })
  const { position } = await first.next('create')
  first.close()
  for (const n of range(1, 6)) await make('Step', { n, kind: n === 3 ? 'b' : 'a' })
  const second = await open()
  const answer = await second.subscribe(4, { className: 'Step', where: { kind: 'a' } }, { from: position })
  expect(answer).toMatchObject({ op: 'subscribed', requestId: 4, position })
  await make('Step', { n: 6, kind: 'a' })
  await vi.waitFor(() => expect(numbers(second.frames)).toEqual([1, 2, 4, 5, 6]), { timeout: 60_000 })
  // From its very beginning, and from the middle, as often as one likes.
  const third = await open()
  await third.subscribe(1, { className: 'Step', where: { kind: 'a' } }, { from: start.position })
  await third.subscribe(
    2,
    { className: 'Step', where: { kind: 'a' } },
    { from: second.frames.findLast(isEvent)?.position },
  )
  await make('Step', { n: 7, kind: 'a' })
  const of = (requestId: number) => numbers(third.frames.filter((frame) => frame.requestId === requestId))
  await vi.waitFor(() => expect([of(1), of(2)]).toEqual([[0, 1, 2, 4, 5, 6, 7], [7]]), { timeout: 60_000 })
})

test('P6: a position opens nothing: missed events are checked by current rights', async () => {
  const ann = await server.signUp('ann')
  const bob = await server.signUp('bob')
  const socket = await open()
  const { position } = await socket.subscribe(1, { className: 'Mail' })
  await make('Mail', { n: 1, ACL: { [ann.objectId]: { read: true } } }, { token: ann.token })
  await make('Mail', { n: 2 })
  await make('Mail', { n: 3, ACL: { [bob.objectId]: { read: true } } }, { token: bob.token })
  const [a, b] = [await open(), await open()]
  await a.subscribe(1, { className: 'Mail' }, { from: position, sessionToken: ann.token })
  await b.subscribe(1, { className: 'Mail' }, { from: position, sessionToken: bob.token })
  await make('Mail', { n: 4 })
  await vi.waitFor(
    () =>
      expect([a, b].map(({ frames }) => numbers(frames))).toEqual([
        [1, 2, 4],
        [2, 3, 4],
      ]),
    { timeout: 60_000 },
  )
})

test('an invalid position, or one older than the log, gets a resync and continues', async () => {
  const socket = await open()
  const { position } = await socket.subscribe(1, { className: 'Old' })
  for (const [index, from] of ['x', "1'; drop table a; --", position].entries()) {
    const requestId = 10 + index
    expect(await socket.subscribe(requestId, { className: 'NeverKept' }, { from })).toMatchObject({ op: 'subscribed' })
    expect(await socket.next('resync')).toMatchObject({ requestId, position: expect.any(String) })
  }
  await make('NeverKept', { n: 1 })
  await vi.waitFor(() => expect(numbers(socket.frames)).toEqual([1, 1, 1]), { timeout: 60_000 })
})

test('missed changes that cannot be read after a type change get a resync', async () => {
  const first = await open()
  const { position } = await first.subscribe(1, { className: 'Typed' })
  await make('Typed', { n: 0, when: { __type: 'GeoPoint', latitude: 1, longitude: 2 } })
  await first.next('create')
  const change = async (field: object) =>
    server.call('PUT', '/schemas/Typed', { className: 'Typed', fields: { when: field } }, { master: true })
  for (const field of [{ __op: 'Delete' }, { type: 'Date' }]) expect((await change(field)).status).toBe(200)
  const second = await open()
  await second.subscribe(1, { className: 'Typed' }, { from: position })
  expect(await second.next('resync')).toMatchObject({ requestId: 1, position: expect.any(String) })
  await make('Typed', { n: 1 })
  expect(await second.next('create')).toMatchObject({ object: { n: 1 } })
})

test('older clients get the plain protocol without positions, whatever they send', async () => {
  const socket = await open({})
  const { position } = await (await open()).subscribe(1, { className: 'Plain' })
  await make('Plain', { n: 1 })
  expect(await socket.subscribe(1, { className: 'Plain' }, { from: position })).not.toHaveProperty('position')
  await make('Plain', { n: 2 })
  await vi.waitFor(() => expect(numbers(socket.frames)).toEqual([2]), { timeout: 60_000 })
  expect(JSON.stringify(socket.frames)).not.toContain('position')
})

test('R24: cut off again and again while others write, nothing is lost, nothing comes twice, nothing out of order', async () => {
  const count = 80
  let socket = await open()
  let { position } = await socket.subscribe(1, { className: 'Race' })
  const seen: unknown[] = []
  let isDone = false
  const write = (async () => {
    for (const n of range(0, count)) await make('Race', { n })
    isDone = true
  })()
  const take = () => {
    const events = socket.frames.splice(0).filter(isEvent)
    seen.push(...numbers(events))
    position = events.at(-1)?.position ?? position
  }
  for (let round = 0; round < 500 && !(isDone && seen.length >= count); round++) {
    await pause(10)
    if (isDone && seen.length + numbers(socket.frames).length >= count) {
      take()
      break
    }
    // Events in transit when the connection is cut are not seen: the next one continues after the last seen.
    socket.close()
    take()
    socket = await open()
    await socket.subscribe(1, { className: 'Race' }, { from: position })
  }
  await write
  await vi.waitFor(
    () => {
      take()
      expect(seen).toEqual(range(0, count))
    },
    { timeout: 60_000 },
  )
})

test('a slow client gets the rest from the log; an older one has to reconnect; others continue', async () => {
  const [slow, older, quick] = [await open(), await open({}), await open()]
  for (const socket of [slow, older, quick]) await socket.subscribe(1, { className: 'Heavy' })
  const heavy = 'x'.repeat(400_000)
  const { stats } = server.live
  const before = stats.slow
  slow.socket.pause()
  older.socket.pause()
  // A client that reads nothing sees no heartbeat: without these it would be closed, however slow the machine is.
  const signs = setInterval(() => [slow, older].map(({ socket }) => socket.pong()), 200)
  onTestFinished(() => clearInterval(signs))
  let count = 0
  // Until what the machine itself holds for a socket is full.
  for (; stats.slow < before + 2 && count < 80; count++) {
    await make('Heavy', { n: count, heavy })
    // A busy server delivers an event some time after it has responded to the write.
    await vi.waitFor(() => expect(numbers(quick.frames)).toContain(count), { timeout: 60_000 })
  }
  expect(stats.slow).toBeGreaterThanOrEqual(before + 2)
  await vi.waitFor(() => expect(numbers(quick.frames)).toEqual(range(0, count)), { timeout: 60_000 })
  for (const _ of range(0, 5)) await make('Heavy', { n: count++, heavy })
  slow.socket.resume()
  await vi.waitFor(() => expect(numbers(slow.frames)).toEqual(range(0, count)), { timeout: 60_000 })
  await make('Heavy', { n: count++ })
  await vi.waitFor(() => expect(numbers(slow.frames)).toEqual(range(0, count)), { timeout: 60_000 })
  older.socket.resume()
  expect(await older.closed).toBe(1013)
  expect(older.frames.at(-1)).toMatchObject({ op: 'error', reconnect: true, requestId: null })
  expect(numbers(older.frames).length).toBeLessThan(count)
})
