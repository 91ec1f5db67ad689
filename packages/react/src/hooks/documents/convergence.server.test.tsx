// @vitest-environment happy-dom
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react'
import fc from 'fast-check'
import type { ReactNode } from 'react'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import { loadWriting } from '../../core/documents/loadWriting.ts'
import { increment } from '../../core/documents/op.ts'
import { saveDocument } from '../../core/documents/saveDocuments.ts'
import { pointer } from '../../core/documents/values.ts'
import { createClient } from '../../core/setup/createClient.ts'
import { initialize } from '../../core/setup/initialize.ts'
import { createMemory } from '../../testing/createMemory.ts'
import { startServer, type TestServer } from '../../testing/startServer.ts'
import { useDocument, useDocuments } from './useDocuments.ts'
import { useLiveDocuments } from './useLiveDocuments.ts'

configure({ asyncUtilTimeout: 60_000 })

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.remove())
beforeEach(() => {
  ;(window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(`${server.origin}/`)
})
afterEach(cleanup)

const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

type Fault = 'none' | 'busy' | 'lost' | 'refused'
type Step =
  /** The next number is saved. */
  | { readonly kind: 'save'; readonly document: number; readonly fault: Fault; readonly wait: number }
  | { readonly kind: 'add'; readonly document: number; readonly fault: Fault; readonly wait: number }
  /** Somebody else writes another field. */
  | { readonly kind: 'event'; readonly document: number; readonly wait: number }
  | { readonly kind: 'read'; readonly wait: number }

const wait = fc.constantFrom(0, 0, 5, 40)
const document = fc.nat(1)
const fault = fc.constantFrom<Fault>('none', 'none', 'busy', 'lost', 'refused')
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('save' as const), document, fault, wait }),
  fc.record({ kind: fc.constant('add' as const), document, fault, wait }),
  fc.record({ kind: fc.constant('event' as const), document, wait }),
  fc.record({ kind: fc.constant('read' as const), wait }),
)

let counter = 0

/** A page whose network fails on command: before the server has a request, or after. */
async function open() {
  const faults: Fault[] = []
  const client = createClient({
    appId: server.appId,
    serverUrl: server.serverUrl,
    storage: createMemory(),
    async fetch(input, init) {
      const isWrite = init?.method === 'PUT'
      const id = String(init?.body).match(/"step":(\d+)/)?.[1]
      const now = isWrite && id ? faults[Number(id)] : undefined
      if (isWrite && id && (now === 'busy' || now === 'lost')) faults[Number(id)] = 'none'
      if (now === 'busy') return new Response('{"code":1,"error":"busy"}', { status: 503 })
      const response = await fetch(input, init)
      if (now === 'lost') throw new TypeError('fetch failed')
      return response
    },
  })
  await initialize(client)
  return { client, faults }
}

async function play(steps: readonly Step[]): Promise<void> {
  const className = `Turn${++counter}`
  const made = await Promise.all(
    [0, 1].map(() => server.asMaster('POST', `/classes/${className}`, { n: 0, total: 0, other: 0, title: '' })),
  )
  const ids = made.map(({ objectId }) => String(objectId))
  const { client, faults } = await open()
  await loadWriting()
  const shown: { id: string; n: unknown }[][] = []
  const written = [0, 0]
  const page = renderHook(
    () => {
      const list = useDocuments(className, { order: ['objectId'] })
      const live = useLiveDocuments(className, { order: ['objectId'] })
      const one = useDocument(className, ids[0])
      for (const rows of [list.data, live.data, one.data && [one.data]]) {
        if (rows) shown.push(rows.map(({ objectId, n }) => ({ id: objectId, n })))
      }
      return { list, live, one }
    },
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <CountersignProvider client={client}>{children}</CountersignProvider>
      ),
    },
  )
  await waitFor(() => {
    for (const { status } of Object.values(page.result.current)) expect(status).toBe('success')
  })
  shown.length = 0
  let hasRefusal = false
  const running: Promise<unknown>[] = []
  await act(async () => {
    for (const [index, given] of steps.entries()) {
      await later(given.wait)
      if (given.kind === 'read') {
        running.push(page.result.current.list.refetch(), page.result.current.one.refetch())
        continue
      }
      const id = ids[given.document] ?? ''
      if (given.kind === 'event') {
        running.push(server.asMaster('PUT', `/classes/${className}/${id}`, { other: { __op: 'Increment', amount: 1 } }))
        continue
      }
      faults[index] = given.fault
      hasRefusal ||= given.fault === 'refused'
      const next = (written[given.document] ?? 0) + 1
      if (given.kind === 'save') written[given.document] = next
      const change = given.kind === 'add' ? { total: increment(1) } : { n: next }
      // A text field that gets a number is refused by the server.
      const changes = { ...change, step: index, ...(given.fault === 'refused' && { title: 7 }) }
      const saving = saveDocument(client, pointer(className, id), changes, { optimistic: true })
      // A refusal that comes while the next step waits has to find a handler.
      running.push(saving.catch(() => {}))
    }
    await Promise.allSettled(running)
  })
  expect(client.internal.edits.get()).toEqual([])
  const { results } = await server.asMaster('GET', `/classes/${className}?order=objectId`)
  const truth = (results as { objectId: string }[]).map(pick)
  // The live list updates automatically; the others have this page's writes, and get the rest when they read.
  await waitFor(() => expect(page.result.current.live.data?.map(pick)).toEqual(truth))
  const own = ({ objectId, n, total }: Record<string, unknown>) => ({ objectId, n, total })
  await waitFor(() => expect(page.result.current.list.data?.map(own)).toEqual(truth.map(own)))
  await act(() => Promise.all([page.result.current.list.refetch(), page.result.current.one.refetch()]))
  expect(page.result.current.list.data?.map(pick)).toEqual(truth)
  expect(page.result.current.one.data && pick(page.result.current.one.data)).toEqual(
    truth.find((row) => row.objectId === ids[0]),
  )
  const last = new Map<string, number>()
  for (const { id, n } of shown.flat()) {
    const most = written[ids.indexOf(id)] ?? 0
    expect(typeof n === 'number' && n >= 0 && n <= most, `${n} was never written`).toBe(true)
    // Only a refusal takes a number back.
    if (!hasRefusal)
      expect(n, 'a later number is never followed by an earlier one').toBeGreaterThanOrEqual(last.get(id) ?? 0)
    last.set(id, Math.max(last.get(id) ?? 0, Number(n)))
  }
  page.unmount()
}

function pick(row: object): Record<string, unknown> {
  const { objectId, n, total, other }: Record<string, unknown> = { ...row }
  return { objectId, n, total, other }
}

test('after any failures, retries and changes elsewhere hooks end with the server’s data, without flicker', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), play), {
    numRuns: Number(process.env.FC_RUNS ?? 12),
    interruptAfterTimeLimit: 200_000,
    endOnFailure: true,
  })
}, 300_000)
