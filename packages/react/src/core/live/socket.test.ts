// @vitest-environment node
import type { LiveQueryText, LiveRequest } from '@countersign/protocol'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStore } from '../state/createStore.ts'
import type { LineHandlers, LiveIdentity, LiveState } from '../state/LiveWire.ts'
import { createLiveSocket } from './createLiveSocket.ts'
import { reconnectDelay } from './createReconnectingSocket.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const games: LiveQueryText = { className: 'Game', where: {} }
type Sent = LiveRequest & { from?: string; requestId?: number }
type Line = LineHandlers & { sent: Sent[]; isClosed: boolean; url: string }

function identityOf(key: string, reader = key): LiveIdentity {
  const connect = { op: 'connect', applicationId: 'app', sessionToken: key } as const
  return { key, reader, url: 'ws://server.test/server', connect }
}

/** A socket whose lines, network and session the test holds in its hands. */
function setUp() {
  const lines: Line[] = []
  const world = { identity: identityOf('guest') as LiveIdentity | undefined, isOnline: true, canDial: true }
  const ended: string[] = []
  const state = createStore<LiveState>({ status: 'idle', attempts: 0, subscriptions: 0 })
  const socket = createLiveSocket({
    state,
    dial(url, handlers) {
      if (!world.canDial) throw new Error('no line')
      const line: Line = { ...handlers, url, sent: [], isClosed: false }
      lines.push(line)
      return {
        send: (text) => line.sent.push(JSON.parse(text)),
        close() {
          line.isClosed = true
        },
      }
    },
    identify: () => world.identity,
    isOnline: () => world.isOnline,
    endSession: ({ key }) => ended.push(key),
    random: () => 1,
  })
  const last = () => {
    const line = lines.at(-1)
    if (!line) throw new Error('no line was opened')
    return line
  }
  const say = (frame: object) => last().onMessage(JSON.stringify({ clientId: 'c', ...frame }))
  const accept = () => {
    last().onOpen()
    say({ op: 'connected' })
  }
  const watch = (query = games) => {
    const log: string[] = []
    const stop = socket.subscribe(query, {
      onOpen: (isWhole) => log.push(isWhole ? 'resumed' : 'open'),
      onClose: () => log.push('close'),
      onResync: () => log.push('resync'),
      onError: (error) => log.push(`error ${error.code}`),
      onEvent: ({ op, object }) => log.push(`${op} ${object.objectId}`),
    })
    return { log, stop }
  }
  return { socket, state, lines, world, ended, last, say, accept, watch }
}

test('one line for all subscriptions, opened by the first, closed a little after the last', () => {
  const { state, lines, last, say, accept, watch } = setUp()
  expect(lines).toHaveLength(0)
  const [one, other] = [watch(), watch({ className: 'Player', where: { a: 1 }, keys: ['a'] })]
  expect(state.get()).toEqual({ status: 'connecting', attempts: 0, subscriptions: 2 })
  accept()
  expect(last().sent).toEqual([
    { op: 'connect', applicationId: 'app', sessionToken: 'guest' },
    { op: 'subscribe', requestId: 1, query: games },
    { op: 'subscribe', requestId: 2, query: { className: 'Player', where: { a: 1 }, keys: ['a'] } },
  ])
  say({ op: 'subscribed', requestId: 1 })
  say({ op: 'create', requestId: 1, object: { objectId: 'x' } })
  say({ op: 'somethingNew', requestId: 1, object: {} })
  last().onMessage('no json')
  expect(one.log).toEqual(['open', 'create x'])
  expect(other.log).toEqual([])
  one.stop()
  one.stop()
  say({ op: 'create', requestId: 1, object: { objectId: 'y' } })
  expect(one.log).toHaveLength(2)
  other.stop()
  expect(last().sent.slice(3)).toEqual([
    { op: 'unsubscribe', requestId: 1 },
    { op: 'unsubscribe', requestId: 2 },
  ])
  vi.advanceTimersByTime(3_000)
  const again = watch()
  vi.advanceTimersByTime(3_000)
  expect(last().isClosed).toBe(false)
  again.stop()
  vi.advanceTimersByTime(5_001)
  expect(last().isClosed).toBe(true)
  expect(lines).toHaveLength(1)
  expect(state.get()).toMatchObject({ status: 'idle', subscriptions: 0 })
  vi.advanceTimersByTime(600_000)
  expect(lines).toHaveLength(1)
})

test('R24: the delay grows with the attempts up to 30 s, scattered, and falls back only after a line that held', () => {
  const delays = Array.from({ length: 12 }, (_, index) => reconnectDelay(index + 1, () => 1))
  expect(delays.slice(0, 7)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  expect(Math.max(...delays)).toBe(30_000)
  expect(reconnectDelay(9, () => 0)).toBe(15_000)
  expect(reconnectDelay(2_000, () => 0.5)).toBe(22_500)

  const { state, lines, last, accept, watch } = setUp()
  watch()
  for (const [index, delay] of delays.slice(0, 8).entries()) {
    // A server that accepts and drops is no better than a missing one.
    if (index % 2 === 1) accept()
    last().onClose('gone')
    expect(state.get()).toMatchObject({ status: 'waiting', attempts: index + 1, error: { code: 100 } })
    vi.advanceTimersByTime(delay - 1)
    expect(lines).toHaveLength(index + 1)
    vi.advanceTimersByTime(1)
    expect(lines).toHaveLength(index + 2)
  }
  accept()
  expect(state.get()).toMatchObject({ status: 'open', attempts: 8 })
  vi.advanceTimersByTime(10_000)
  expect(state.get()).toEqual({ status: 'open', attempts: 0, subscriptions: 1 })
  last().onClose('gone')
  vi.advanceTimersByTime(1_000)
  expect(lines).toHaveLength(10)
})

test('a line that cannot even be dialled is tried again, too', () => {
  const { state, world, lines, watch } = setUp()
  world.canDial = false
  watch()
  expect(state.get()).toMatchObject({ status: 'waiting', attempts: 1 })
  world.canDial = true
  vi.advanceTimersByTime(1_000)
  expect(lines).toHaveLength(1)
})

test('each subscription resumes at its own last position', () => {
  const { last, say, accept, watch } = setUp()
  const [one, other] = [watch(), watch()]
  accept()
  say({ op: 'subscribed', requestId: 1, position: 'p1' })
  say({ op: 'subscribed', requestId: 2, position: 'p1' })
  say({ op: 'create', requestId: 1, object: { objectId: 'a' }, position: 'p2' })
  last().onClose('gone')
  vi.advanceTimersByTime(1_000)
  accept()
  expect(
    last()
      .sent.slice(1)
      .map(({ from }) => from),
  ).toEqual(['p2', 'p1'])
  // Disconnected again after the server agreed, before it sent the missed events: they are requested once more.
  say({ op: 'subscribed', requestId: 1, position: 'p9' })
  last().onClose('gone')
  vi.advanceTimersByTime(2_000)
  accept()
  expect(
    last()
      .sent.slice(1)
      .map(({ from }) => from),
  ).toEqual(['p2', 'p1'])
  say({ op: 'subscribed', requestId: 1, position: 'p9' })
  say({ op: 'position', position: 'p10' })
  say({ op: 'position' })
  say({ op: 'resync', requestId: 2, position: 'p11' })
  last().onClose('gone')
  vi.advanceTimersByTime(4_000)
  accept()
  expect(
    last()
      .sent.slice(1)
      .map(({ from }) => from),
  ).toEqual(['p10', 'p11'])
  expect(one.log).toEqual(['open', 'create a', 'close', 'resumed', 'close', 'resumed', 'close'])
  expect(other.log).toEqual(['open', 'close', 'resync'])
})

test('two and a half heartbeats of silence, or an opening without a response, mean a dead connection', () => {
  const { lines, last, say, accept, watch } = setUp()
  watch()
  vi.advanceTimersByTime(15_000)
  expect(last().isClosed).toBe(true)
  vi.advanceTimersByTime(1_000)
  expect(lines).toHaveLength(2)
  accept()
  for (let beat = 0; beat < 10; beat++) {
    vi.advanceTimersByTime(20_000)
    say({ op: 'position', position: 'p' })
  }
  expect(last().isClosed).toBe(false)
  vi.advanceTimersByTime(24_999)
  expect(last().isClosed).toBe(false)
  vi.advanceTimersByTime(1)
  expect(last().isClosed).toBe(true)
})

test('no attempt while offline, immediately when back; connections that stayed open are not trusted', () => {
  const { socket, state, world, lines, last, accept, watch } = setUp()
  watch()
  accept()
  world.isOnline = false
  socket.sleep()
  last().onClose('gone')
  expect(state.get().status).toBe('offline')
  vi.advanceTimersByTime(600_000)
  expect(lines).toHaveLength(1)
  world.isOnline = true
  socket.wake()
  expect(lines).toHaveLength(2)
  last().onClose('gone')
  expect(state.get().status).toBe('waiting')
  socket.sleep()
  expect(state.get().status).toBe('offline')
  socket.wake()
  expect(lines).toHaveLength(3)
  accept()
  socket.wake()
  expect(lines).toHaveLength(3)
  socket.sleep()
  socket.wake()
  expect(lines).toHaveLength(4)
  accept()
  vi.setSystemTime(Date.now() + 60_000)
  socket.wake()
  expect(lines).toHaveLength(5)
})

test('a page that is left closes its connection, and opens another when it is shown again', () => {
  const { socket, state, lines, last, accept, watch } = setUp()
  watch()
  accept()
  socket.leave()
  expect(last().isClosed).toBe(true)
  expect(state.get().status).toBe('idle')
  vi.advanceTimersByTime(600_000)
  expect(lines).toHaveLength(1)
  socket.wake()
  expect(lines).toHaveLength(2)
  accept()
  expect(state.get().status).toBe('open')
})

test('another session opens another connection: a new token resumes, another user starts again', () => {
  const { socket, world, last, lines, say, accept, watch } = setUp()
  world.identity = undefined
  const { log } = watch()
  expect(lines).toHaveLength(0)
  world.identity = identityOf('s1', 'ada')
  socket.lookAgain()
  accept()
  say({ op: 'subscribed', requestId: 1, position: 'p1' })
  socket.lookAgain()
  expect(lines).toHaveLength(1)
  world.identity = identityOf('s2', 'ada')
  socket.lookAgain()
  expect(lines[0]?.isClosed).toBe(true)
  accept()
  expect(last().sent).toMatchObject([{ sessionToken: 's2' }, { from: 'p1' }])
  say({ op: 'subscribed', requestId: 1 })
  world.identity = identityOf('s3', 'bob')
  socket.lookAgain()
  accept()
  expect(last().sent[1]).not.toHaveProperty('from')
  say({ op: 'subscribed', requestId: 1, position: 'p2' })
  expect(log).toEqual(['open', 'close', 'resumed', 'close', 'open'])
  world.identity = undefined
  socket.lookAgain()
  expect(last().isClosed).toBe(true)
})

test('a dead session ends here as well, and the present user is asked for', () => {
  const { ended, world, lines, last, say, accept, watch } = setUp()
  world.identity = identityOf('s1', 'ada')
  const { log } = watch()
  accept()
  ended.push = (key) => {
    world.identity = identityOf('guest')
    return Array.prototype.push.call(ended, key)
  }
  say({ op: 'error', code: 209, error: 'Invalid session token', reconnect: false, requestId: 1 })
  expect([...ended]).toEqual(['s1'])
  expect(lines).toHaveLength(2)
  accept()
  expect(last().sent).toMatchObject([{ sessionToken: 'guest' }, { op: 'subscribe', requestId: 1 }])
  expect(log).toEqual([])
})

test('an error reaches the subscription that it names, and is asked for again only by another session', () => {
  const { socket, state, world, lines, last, say, accept, watch } = setUp()
  const [one, other] = [watch(), watch()]
  accept()
  say({ op: 'error', code: 102, error: 'no', reconnect: false, requestId: 1 })
  expect(one.log).toEqual(['error 102'])
  last().onClose('gone')
  vi.advanceTimersByTime(1_000)
  accept()
  expect(last().sent.slice(1)).toMatchObject([{ requestId: 2 }])
  world.identity = identityOf('s1', 'ada')
  socket.lookAgain()
  accept()
  expect(last().sent.slice(1)).toMatchObject([{ requestId: 1 }, { requestId: 2 }])
  say({ op: 'error', code: 1, error: 'too slow', reconnect: true, requestId: null })
  expect(state.get()).toMatchObject({ status: 'waiting', error: { code: 1 } })
  vi.advanceTimersByTime(2_000)
  accept()
  say({ op: 'error', code: 4, error: 'wrong key', reconnect: false, requestId: null })
  expect(state.get()).toMatchObject({ status: 'refused', error: { code: 4, message: 'wrong key' } })
  expect(other.log).toEqual(['error 4'])
  vi.advanceTimersByTime(600_000)
  expect(lines).toHaveLength(4)
})
