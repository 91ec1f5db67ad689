import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { sql } from '../db/sql.ts'
import { createAttackedServer } from '../testing/createAttackedServer.ts'
import type { TestServer } from '../testing/createTestServer.ts'
import { type LiveSocket, openLiveSocket } from '../testing/openLiveSocket.ts'

const maxBufferedBytes = 65_536
let server: TestServer
const opened: LiveSocket[] = []
/** The server's ends of all connections. */
const ends: Socket[] = []
const note = (message: unknown) => void ends.push((message as { socket: Socket }).socket)
beforeAll(async () => {
  subscribe('net.server.socket', note)
  server = await createAttackedServer({ liveQuery: { maxBufferedBytes } })
})
afterEach(() => {
  for (const socket of opened.splice(0)) socket.close()
})
afterAll(() => {
  unsubscribe('net.server.socket', note)
  return server.stop()
})

async function open(connect: object = {}) {
  const socket = await openLiveSocket(server, { connect })
  opened.push(socket)
  return socket
}

/** Sends a raw request and never hangs up. Returns the response, and if the server hung up within a second. */
function offer(head: string, body = ''): Promise<{ answer: string; isOver: boolean }> {
  return new Promise((resolve) => {
    const { port, hostname } = new URL(server.url)
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    let answer = ''
    socket.on('data', (data) => {
      answer += String(data)
    })
    // On a half-open connection the end of the other side shows only on a write.
    const finish = (isOver: boolean) => {
      socket.destroy()
      resolve({ answer, isOver })
    }
    socket.on('error', () => finish(true))
    socket.write(`${head}\r\nHost: x\r\nX-Parse-Application-Id: ${server.appId}\r\n\r\n${body}`)
    const timer = setInterval(() => answer && socket.write(' '), 50)
    setTimeout(() => finish(false), 1_000)
    socket.on('close', () => clearInterval(timer))
  })
}
const upgrade = (path: string) =>
  `GET ${path} HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==`

test('closes a refused socket that the client keeps open', async () => {
  const { pathname } = new URL(server.serverUrl)
  for (const path of ['/elsewhere', '/%zz', `${pathname}/%zz`]) {
    expect([path, await offer(upgrade(path))]).toEqual([
      path,
      { answer: expect.stringMatching(/^HTTP\/1.1 40[04] /), isOver: true },
    ])
  }
})

test('serves a request that offers HTTP/2 like any other', async () => {
  const { pathname } = new URL(server.serverUrl)
  const h2c = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA'
  const health = await offer(`GET ${pathname}/health HTTP/1.1\r\n${h2c}`)
  expect(health.answer).toMatch(/^HTTP\/1.1 200 OK[\s\S]*"ok"/)
  const body = JSON.stringify({ text: 'by hand' })
  const made = await offer(
    `POST ${pathname}/classes/Offer HTTP/1.1\r\n${h2c}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`,
    body,
  )
  expect(made.answer).toMatch(/^HTTP\/1.1 201 Created[\s\S]*"objectId"/)
})

test('limits the data that waits for a client which sends without end and reads nothing', async () => {
  for (const flood of [
    (socket: LiveSocket) => socket.socket.send('x'),
    (socket: LiveSocket) => socket.socket.ping('y'.repeat(100)),
  ]) {
    const socket = await open({ installationId: 'i'.repeat(200) })
    socket.socket.pause()
    let [most, left] = [0, 6_000]
    const start = Date.now()
    while (Date.now() - start < left && socket.socket.readyState === socket.socket.OPEN) {
      if (socket.socket.bufferedAmount < 1_000_000) for (let sent = 0; sent < 3_000; sent++) flood(socket)
      await pause(5)
      most = Math.max(most, ...ends.map(({ writableLength }) => writableLength))
      // The connection's own buffer is full; from here on it would grow.
      if (most > maxBufferedBytes / 2) left = Math.min(left, Date.now() - start + 500)
    }
    expect(most).toBeGreaterThan(maxBufferedBytes / 2)
    expect(most).toBeLessThan(4 * maxBufferedBytes)
    socket.close()
  }
  expect(await (await open()).subscribe(1, { className: 'Calm' })).toMatchObject({ op: 'subscribed' })
})

test('messages that are nested without end are refused, and are no failure of the server', async () => {
  const socket = await open()
  for (const where of [`${'{"$or":['.repeat(7_000)}{"a":1}${']}'.repeat(7_000)}`, `{"a":${'['.repeat(50_000)}1`]) {
    const text = `{"op":"subscribe","requestId":5,"query":{"className":"X","where":${where}`
    socket.send(where.endsWith('1') ? `${text}${']'.repeat(50_000)}}}}` : `${text}}}`)
    expect(await socket.next('error')).toMatchObject({ code: 107, reconnect: false })
  }
  expect(server.logs.filter((line) => line.includes('"level":50'))).toEqual([])
})

test('names that no class can have are refused, and leave nothing behind', async () => {
  const socket = await open()
  for (const className of ['_', '__proto__', '_Foo\u0000', '_x"; drop table', '_SCHEMA']) {
    expect(await socket.subscribe(1, { className })).toMatchObject({ op: 'error', code: 103, reconnect: false })
  }
  const rows = await server.context.db.query<{ name: string }>(
    sql`select class_name as name from countersign.live_classes where class_name like '\\_%'`,
  )
  expect(rows.map(({ name }) => name).filter((name) => name !== '_Role')).toEqual([])
})

test('classes that are not there are waited for in a bounded number', async () => {
  const socket = await open()
  await server.context.db.query(sql`
    insert into countersign.live_classes (class_name, wanted_until)
    select 'Made' || n, clock_timestamp() + interval '1 hour' from generate_series(1, 250) n`)
  expect(await socket.subscribe(1, { className: 'OneMore' })).toMatchObject({ op: 'error', code: 140 })
  expect(await socket.subscribe(2, { className: 'Made7' })).toMatchObject({ op: 'subscribed' })
  await server.call('POST', '/classes/Real', { n: 1 })
  expect(await socket.subscribe(3, { className: 'Real' })).toMatchObject({ op: 'subscribed' })
  await server.context.db.query(sql`delete from countersign.live_classes where class_name like 'Made%'`)
})

test('a position may be as long as a busy database makes it', async () => {
  const socket = await open({ features: ['positions'] })
  const { position } = await socket.subscribe(1, { className: 'Busy' })
  const [incarnation, mark] = String(position).split('.')
  const underWay = Array.from({ length: 800 }, (_, place) => (800 - place).toString(36)).join('_')
  const from = `${incarnation}.${(1e12).toString(36)}_${mark?.split('_')[1]}_${underWay}`
  expect(from.length).toBeGreaterThan(1_000)
  expect(await socket.subscribe(2, { className: 'Busy' }, { from })).toMatchObject({ op: 'subscribed', position: from })
  await vi.waitFor(() => expect(socket.frames.filter(({ code }) => code !== undefined)).toEqual([]), {
    timeout: 60_000,
  })
})
