// @vitest-environment node
import type { LiveEventName, LiveRequest, WireFields } from '@countersign/protocol'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMemory } from '../../testing/createMemory.ts'
import type { Query } from '../documents/Query.ts'
import { createClient } from '../setup/createClient.ts'
import { initialize } from '../setup/initialize.ts'
import type { AsyncState } from '../state/AsyncState.ts'
import { followQuery } from './followQuery.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

type Row = WireFields & { objectId: string; n: number; g: number; updatedAt: string }
type Entry = { op: LiveEventName; object: Row }
/** Rows at the time of the request and of the response: the true result is one of them or between. */
type Answer = { old: Row[]; find: () => Row[]; resolve: (rows: Row[]) => void }

/** A table, its log of changes and its sockets, where every delivery and every response waits for the test. */
function createScriptedServer(order: (one: Row, other: Row) => number) {
  const table = new Map<string, Row>()
  const log: Entry[] = []
  const answers: Answer[] = []
  const lines = new Set<ScriptedSocket>()
  let time = 0

  class ScriptedSocket extends EventTarget {
    static readonly OPEN = 1
    readyState = 1
    readonly cursors = new Map<number, number>()
    constructor() {
      super()
      lines.add(this)
      setTimeout(() => this.dispatchEvent(new Event('open')))
    }
    say(frame: object): void {
      this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ clientId: 'c', ...frame }) }))
    }
    send(text: string): void {
      const frame = JSON.parse(text) as LiveRequest
      if (frame.op === 'connect') this.say({ op: 'connected' })
      if (frame.op !== 'subscribe') return
      const { requestId, from = `p${log.length}` } = frame
      this.cursors.set(requestId, Number(from.slice(1)))
      this.say({ op: 'subscribed', requestId, position: from })
    }
    close(): void {
      lines.delete(this)
    }
  }

  return {
    ScriptedSocket,
    answers,
    find: (where: { objectId?: { $in: string[] } } | undefined, limit: number): Row[] =>
      [...table.values()]
        .filter(({ g, objectId }) => g === 1 && (where?.objectId?.$in.includes(objectId) ?? true))
        .sort(order)
        .slice(0, limit),
    write(objectId: string, fields: { n: number; g: number } | undefined, isSameTime: boolean): void {
      const before = table.get(objectId)
      if (!isSameTime) time++
      if (!fields) {
        table.delete(objectId)
        if (before?.g === 1) log.push({ op: 'delete', object: before })
        return
      }
      const object = { objectId, ...fields, updatedAt: new Date(time).toISOString() }
      table.set(objectId, object)
      const [was, is] = [before?.g === 1, fields.g === 1]
      if (was || is) log.push({ op: was ? (is ? 'update' : 'leave') : before ? 'enter' : 'create', object })
    },
    deliver(most: number): void {
      for (const line of [...lines]) {
        for (const [requestId, from] of line.cursors) {
          const entries = log.slice(from, from + most)
          line.cursors.set(requestId, from + entries.length)
          for (const [index, entry] of entries.entries()) {
            line.say({ ...entry, requestId, position: `p${from + index + 1}` })
          }
        }
      }
    },
    cut(): void {
      for (const line of [...lines]) {
        lines.delete(line)
        line.dispatchEvent(Object.assign(new Event('close'), { code: 1006, reason: '' }))
      }
    },
    resync(): void {
      for (const line of [...lines]) {
        for (const requestId of line.cursors.keys()) {
          line.cursors.set(requestId, log.length)
          line.say({ op: 'resync', requestId, position: `p${log.length}` })
        }
      }
    },
  }
}

type Step =
  | { do: 'write'; id: number; n: number; g: number; isSameTime: boolean }
  | { do: 'delete'; id: number }
  | { do: 'deliver'; most: number }
  | { do: 'answer'; isOld: boolean }
  | { do: 'cut' | 'resync' }

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      id: fc.nat({ max: 9 }),
      n: fc.nat({ max: 4 }),
      g: fc.constantFrom(0, 1, 1),
      isSameTime: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), id: fc.nat({ max: 9 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('deliver' as const), most: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('answer' as const), isOld: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('cut' as const, 'resync' as const) }) },
)

async function follow(query: Query<string, unknown>, steps: readonly Step[]) {
  const server = createScriptedServer((one, other) => {
    return other.n - one.n || (one.objectId < other.objectId ? 1 : -1)
  })
  for (let id = 0; id < 10; id++) server.write(`id${id}`, { n: id % 5, g: 1 }, false)
  vi.stubGlobal('WebSocket', server.ScriptedSocket)
  const isPartial = query.include !== undefined
  const fetch: typeof globalThis.fetch = (input, init) =>
    new Promise((resolve) => {
      const asked = readAsked(String(input), init)
      const find = () => server.find(asked.where, asked.limit).slice(asked.skip)
      const answer = (found: Row[]) => {
        const results = isPartial ? found.map((row) => ({ ...row, owner: { n: row.n } })) : found
        resolve(new Response(JSON.stringify({ results })))
      }
      server.answers.push({ old: find(), find, resolve: answer })
    })
  const serverUrl = 'http://server.test/server'
  const client = createClient({ appId: 'app', serverUrl, session: 'storage', storage: createMemory(), fetch })
  await initialize(client)
  const shown: AsyncState<readonly unknown[]>[] = []
  const following = followQuery(client, query, (state) => shown.push(state))
  const rest = () => vi.advanceTimersByTimeAsync(1)
  await rest()
  for (const one of steps) {
    if (one.do === 'write') server.write(`id${one.id}`, { n: one.n, g: one.g }, one.isSameTime)
    else if (one.do === 'delete') server.write(`id${one.id}`, undefined, false)
    else if (one.do === 'deliver') server.deliver(one.most)
    else if (one.do === 'answer') {
      const answer = server.answers.shift()
      answer?.resolve(one.isOld ? answer.old : answer.find())
    } else server[one.do]()
    await rest()
  }
  // Until nothing is left to be said, and the longest pause of all is over.
  for (let round = 0; round < 10; round++) {
    await vi.advanceTimersByTimeAsync(35_000)
    server.deliver(1_000)
    for (const answer of server.answers.splice(0)) answer.resolve(answer.old)
    await rest()
  }
  const { limit = 100, skip = 0 } = query
  const expected = server.find(undefined, skip + limit).slice(skip)
  following.stop()
  return { shown, expected }
}

function readAsked(url: string, init: RequestInit | undefined) {
  const body = init?.body ? JSON.parse(String(init.body)) : Object.fromEntries(new URL(url).searchParams)
  const where = typeof body.where === 'string' ? JSON.parse(body.where) : body.where
  const narrowed = where?.$and?.[1] as { objectId: { $in: string[] } } | undefined
  const skip = Number(body.skip ?? 0)
  return { where: narrowed, limit: skip + Number(body.limit), skip }
}

const questions: Query<string, unknown>[] = [
  { className: 'Thing', where: { g: 1 }, order: ['-n'], limit: 4 },
  { className: 'Thing', where: { g: 1 }, order: ['-n'] },
  { className: 'Thing', where: { g: 1 }, order: ['-n'], limit: 3, skip: 2 },
  { className: 'Thing', where: { g: 1 }, order: ['-n'], limit: 4, include: ['owner'] },
  { className: 'Thing', where: { g: 1 }, order: ['-n', 'meta.size'], limit: 3, skip: 1 },
]

for (const question of questions) {
  const { limit, skip, include, order } = question
  test(`any order of writes, events, responses and disconnections: ${JSON.stringify({ order, limit, skip, include })}`, async () => {
    const check = async (steps: Step[]) => {
      const { shown, expected } = await follow(question, steps)
      const last = shown.at(-1)
      if (last?.status !== 'success') throw new Error(`The query ended in ${JSON.stringify(last)}.`)
      expect(last.data).toMatchObject(
        expected.map(({ objectId, n }) => ({ objectId, n, ...(include && { owner: { n } }) })),
      )
      expect(last.data).toHaveLength(expected.length)
      expect(last.isFetching).toBe(false)
      for (const state of shown) {
        if (state.status !== 'success' || !include) continue
        for (const item of state.data) expect(item).toHaveProperty('owner')
      }
    }
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), check), { numRuns: 40 })
  })
}

test('an object that leaves while it is being fetched stays removed', async () => {
  const { shown, expected } = await follow({ ...questions[3], className: 'Thing', include: ['owner'] }, [
    { do: 'answer', isOld: true },
    { do: 'write', id: 0, n: 4, g: 1, isSameTime: false },
    { do: 'deliver', most: 1 },
    { do: 'write', id: 0, n: 4, g: 0, isSameTime: false },
    { do: 'deliver', most: 1 },
    { do: 'answer', isOld: true },
  ])
  expect(shown.at(-1)).toMatchObject({ status: 'success', data: expected.map(({ objectId }) => ({ objectId })) })
  expect(JSON.stringify(shown)).not.toContain('"objectId":"id0"')
})

test('an event older than the response changes nothing', async () => {
  const { shown } = await follow({ className: 'Thing', where: { g: 1 }, order: ['-n'] }, [
    { do: 'write', id: 0, n: 77, g: 1, isSameTime: false },
    { do: 'write', id: 0, n: 3, g: 1, isSameTime: false },
    { do: 'answer', isOld: false },
    { do: 'deliver', most: 1 },
    { do: 'deliver', most: 1 },
  ])
  expect(shown.length).toBeGreaterThan(1)
  expect(JSON.stringify(shown)).not.toContain('77')
})

test('without a connection the query is read once all the same, and again when there is one', async () => {
  let canOpen = false
  class Refusing extends EventTarget {
    static readonly OPEN = 1
    readyState = 1
    constructor() {
      super()
      setTimeout(() => this.dispatchEvent(new Event(canOpen ? 'open' : 'error')))
    }
    send(text: string): void {
      const { op } = JSON.parse(text) as LiveRequest
      const data = JSON.stringify(op === 'connect' ? { op: 'connected' } : { op: 'subscribed', requestId: 1 })
      this.dispatchEvent(new MessageEvent('message', { data }))
    }
    close(): void {}
  }
  vi.stubGlobal('WebSocket', Refusing)
  let finds = 0
  const fetch = async () => new Response(JSON.stringify({ results: [{ objectId: 'a', n: ++finds }] }))
  const serverUrl = 'http://server.test/server'
  const client = createClient({ appId: 'app', serverUrl, session: 'storage', storage: createMemory(), fetch })
  await initialize(client)
  const shown: AsyncState<readonly unknown[]>[] = []
  const { stop } = followQuery(client, { className: 'Thing' }, (state) => shown.push(state))
  await vi.advanceTimersByTimeAsync(60_000)
  // Loading on first use takes real time, which fake timers do not move.
  await vi.waitFor(
    () => expect(shown.at(-1)).toMatchObject({ status: 'success', data: [{ n: 1 }], isFetching: false }),
    { timeout: 60_000 },
  )
  canOpen = true
  // When it is tried again is partly chance; long after that a server as silent as this one would be given up.
  for (let seconds = 0; finds < 2 && seconds < 30; seconds++) await vi.advanceTimersByTimeAsync(1_000)
  await vi.waitFor(() => expect(shown.at(-1)).toMatchObject({ data: [{ n: 2 }] }), { timeout: 60_000 })
  stop()
})
