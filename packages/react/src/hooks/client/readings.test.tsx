// @vitest-environment happy-dom
import { act, cleanup, configure, render, renderHook, screen, waitFor } from '@testing-library/react'
import * as React from 'react'
import { memo, type ReactNode, StrictMode, Suspense, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import { requestEmailVerification } from '../../core/account/email.ts'
import { requestPasswordReset } from '../../core/account/passwords.ts'
import type { Client } from '../../core/client/Client.ts'
import { getDocument } from '../../core/documents/findDocuments.ts'
import { invalidateDocuments } from '../../core/documents/invalidateDocuments.ts'
import type { Reading } from '../../core/readings/createReading.ts'
import { defineSharedReading } from '../../core/readings/defineReading.ts'
import { requestEmailCode } from '../../core/session/signInWithEmailCode.ts'
import { createClient } from '../../core/setup/createClient.ts'
import { initialize } from '../../core/setup/initialize.ts'
import { createMemory } from '../../testing/createMemory.ts'
import { useOutbox } from '../account/useOutbox.ts'
import { useNativeBalance, useTransfers } from '../chain/useChainData.ts'
import { useReadContract } from '../chain/useContract.ts'
import { useDocument, useDocuments } from '../documents/useDocuments.ts'
import { useLiveDocuments } from '../documents/useLiveDocuments.ts'

const abi = [
  { type: 'function', name: 'total', stateMutability: 'view', inputs: [], outputs: [{ type: 'uint256' }] },
] as const
const address = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

// Loading on first use takes time on a busy machine.
configure({ asyncUtilTimeout: 60_000 })

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

type Answer = { readonly status?: number; readonly body: unknown }

/** A client whose server is a function: nothing but the network is replaced. */
async function connect(answer: (path: string) => Answer = answerRow) {
  const calls: string[] = []
  const client = createClient({
    appId: 'app',
    serverUrl: 'http://server.test/server',
    session: 'storage',
    storage: createMemory(),
    attemptLimit: 1,
    async fetch(input) {
      const path = new URL(String(input)).pathname.replace('/server', '')
      calls.push(path)
      // Every response in a separate turn, as from a network.
      await new Promise((resolve) => setTimeout(resolve, 5))
      const { status = 200, body } = answer(path)
      return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } })
    },
  })
  await initialize(client)
  return { client, calls }
}

const time = '2024-01-01T00:00:00.000Z'
const toRow = (objectId: string, n = 0) => ({ objectId, n, createdAt: time, updatedAt: time })
function answerRow(path: string): Answer {
  return { body: path.startsWith('/classes/Row/') ? toRow(path.slice(13)) : { results: [toRow('a')] } }
}

const wrap = (client: Client, Around: React.ComponentType<{ children: ReactNode }> = React.Fragment) => ({
  wrapper: ({ children }: { children: ReactNode }) => (
    <Around>
      <CountersignProvider client={client}>{children}</CountersignProvider>
    </Around>
  ),
})

const renders = new Map<string, number>()
const note = (id: string) => renders.set(id, (renders.get(id) ?? 0) + 1)

function Row({ id }: { id: string }) {
  const row = useDocument('Row', id)
  note(id)
  return <p>{row.status}</p>
}

const countOf = (text: string) => [...document.querySelectorAll('p')].filter((p) => p.textContent === text).length

/** Looks now and then, and not at each change of the page as the testing library would. */
const settled = (amount: number) =>
  waitFor(() => expect(countOf('success')).toBe(amount), { container: document.createElement('p'), timeout: 60_000 })

const ids = (amount: number) => Array.from({ length: amount }, (_, n) => `row${n}`)

for (const Around of [StrictMode, React.Fragment]) {
  test(`B1: 300 rows of one commit are all shown, each asked for once (${Around === StrictMode})`, async () => {
    const { client, calls } = await connect()
    render(
      ids(300).map((id) => <Row key={id} id={id} />),
      wrap(client, Around),
    )
    await settled(300)
    expect(countOf('pending')).toBe(0)
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
    expect(calls).toHaveLength(300)
    expect(new Set(calls).size).toBe(300)
  })
}

test('B1: 1,000 rows render twice each, once without and once with what was read', async () => {
  const { client, calls } = await connect()
  renders.clear()
  render(
    ids(1000).map((id) => <Row key={id} id={id} />),
    wrap(client),
  )
  // One act for all responses: a render for each would take React a quarter of a minute.
  const states = () =>
    [...client.internal.readings.values()].map(({ reading }) => (reading as Reading<unknown>).peek.get().status)
  await act(() =>
    vi.waitFor(() => expect(states().filter((status) => status === 'success')).toHaveLength(1000), 60_000),
  )
  expect(countOf('success')).toBe(1000)
  expect(calls).toHaveLength(1000)
  expect(Math.max(...renders.values())).toBe(2)
})

test('B1: a list of 1,000 rows that is read again renders only the row that changed', async () => {
  let changed = 0
  const { client } = await connect(() => ({
    body: { results: ids(1000).map((id, n) => toRow(id, n === 500 ? changed : 0)) },
  }))
  renders.clear()
  const Line = memo(({ row }: { row: { objectId: string; n?: unknown } }) => {
    note(row.objectId)
    return <p>{String(row.n)}</p>
  })
  let lists = 0
  function List() {
    const { data = [] } = useDocuments('Row', { limit: 1000 })
    lists++
    return data.map((row) => <Line key={row.objectId} row={row} />)
  }
  render(<List />, wrap(client))
  await waitFor(() => expect(screen.queryAllByText('0')).toHaveLength(1000))
  const before = lists
  changed = 7
  act(() => invalidateDocuments(client, 'Row'))
  await screen.findByText('7')
  expect(renders.get('row500')).toBe(2)
  expect([...renders.values()].reduce((sum, count) => sum + count)).toBe(1001)
  // Fetching and fetched.
  expect(lists - before).toBe(2)
})

test('B1: a date that state keeps and a clock moves on is followed', async () => {
  const { client, calls } = await connect()
  const { result } = renderHook(() => {
    const [now, setNow] = useState(() => new Date())
    return { ...useDocuments('Row', { where: { createdAt: { $lt: now } } }), setNow }
  }, wrap(client))
  for (const times of [1, 2, 3]) {
    await waitFor(() => expect(result.current.status).toBe('success'))
    expect(calls).toHaveLength(times)
    await new Promise((resolve) => setTimeout(resolve, 20))
    act(() => result.current.setNow(new Date()))
  }
  await waitFor(() => expect(calls).toHaveLength(4))
})

test('B1: discards readings that were rendered but never shown, or are over the limit, and keeps the rest', async () => {
  const { client, calls } = await connect()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const readings = client.internal.readings
  function Never(): ReactNode {
    useDocument('Row', 'never')
    throw new Promise(() => undefined)
  }
  const { rerender } = render(
    <>
      {ids(300).map((id) => (
        <Row key={id} id={id} />
      ))}
      <Row id="kept" />
    </>,
    wrap(client),
  )
  await act(() => vi.advanceTimersByTimeAsync(10))
  expect(readings.size).toBe(301)
  expect(calls).toHaveLength(301)
  rerender(
    <>
      <Row id="kept" />
      <Suspense fallback="waiting">
        <Never />
      </Suspense>
    </>,
  )
  expect([...readings.keys()].filter((key) => key.includes('"never"'))).toHaveLength(1)
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect([...readings.keys()].filter((key) => key.includes('"never"'))).toEqual([])
  expect(readings.size).toBeLessThanOrEqual(201)
  rerender(<Row id="row299" />)
  expect(screen.queryAllByText('success'), 'what was left last is still known').toHaveLength(1)
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(vi.getTimerCount(), 'nothing goes on running').toBe(0)
})

test('B1: a component that subscribes after the sweep shows its data, and receives changes', async () => {
  const { client, calls } = await connect()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const readings = client.internal.readings
  const readLate = defineSharedReading(
    (objectId: string) => ({ get: { className: 'Row', objectId } }),
    (client, objectId, options): Promise<unknown> => getDocument(client, 'Row', objectId, {}, options),
  )
  const reading = readLate(client, 'late')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(readings.size).toBe(0)
  const stop = reading.subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(10)
  expect(reading.peek.get().status).toBe('success')
  invalidateDocuments(client, 'Row')
  await vi.advanceTimersByTimeAsync(10)
  expect(calls).toHaveLength(2)
  stop()
})

test('B1: a late observer sees the data of another component', async () => {
  const { client } = await connect()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const Look = () => <i>{useDocument('Row', 'one', { enabled: false }).status}</i>
  const { rerender } = render(<Look />, wrap(client))
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  rerender(
    <>
      <Look />
      <Row id="one" />
    </>,
  )
  await act(() => vi.advanceTimersByTimeAsync(10))
  expect(screen.queryAllByText('success')).toHaveLength(2)
})

test('B2: a failed refetch keeps the data beside the error, and the next one clears it', async () => {
  let isLimited = false
  const { client } = await connect(() =>
    isLimited
      ? { status: 429, body: { code: 155, error: 'Too many requests.' } }
      : { body: { results: [toRow('a')], objectId: 'a', createdAt: time, updatedAt: time } },
  )
  const states: string[] = []
  const { result } = renderHook(() => {
    const games = useDocuments('Row')
    const { status, data, error, isFetching } = games
    states.push([status, data?.length, error?.code, isFetching].join())
    return games
  }, wrap(client))
  await waitFor(() => expect(result.current.status).toBe('success'))
  const { data } = result.current
  isLimited = true
  act(() => invalidateDocuments(client, 'Row'))
  await waitFor(() => expect(result.current.status).toBe('error'))
  expect(result.current).toMatchObject({ error: { code: 155 }, isFetching: false })
  expect(result.current.data).toBe(data)
  isLimited = false
  await act(() => result.current.refetch())
  expect(result.current).toMatchObject({ status: 'success', isFetching: false })
  expect(result.current.data).toBe(data)
  expect(result.current.error).toBeUndefined()
  const shown = states.slice(states.indexOf('success,1,,false'))
  expect(shown.filter((state) => state !== 'error,1,155,true')).toEqual([
    'success,1,,false',
    'success,1,,true',
    'error,1,155,false',
    'success,1,,false',
  ])
})

test('B2: a failed first reading has no data', async () => {
  const { client } = await connect(() => ({ status: 429, body: { code: 155, error: 'Too many requests.' } }))
  const { result } = renderHook(() => useDocuments('Row'), wrap(client))
  await waitFor(() => expect(result.current.status).toBe('error'))
  expect(result.current.data).toBeUndefined()
})

test('B2: a live list keeps its data when it cannot be read again', async () => {
  let isLimited = false
  const { client } = await connect(() =>
    isLimited ? { status: 429, body: { code: 155, error: 'Too many requests.' } } : { body: { results: [toRow('a')] } },
  )
  const { result } = renderHook(() => useLiveDocuments('Row'), wrap(client))
  await waitFor(() => expect(result.current.status).toBe('success'))
  const { data } = result.current
  isLimited = true
  await act(() => result.current.refetch())
  expect(result.current).toMatchObject({ status: 'error', error: { code: 155 } })
  expect(result.current.data).toBe(data)
})

test('B2: on-chain data keeps its shape beside an error, and B4: `at` keeps its identity', async () => {
  let isLimited = false
  const block = { number: 5, hash: '0x1', timestamp: time }
  const { client } = await connect(() =>
    isLimited
      ? { status: 429, body: { code: 155, error: 'Too many requests.' } }
      : {
          body: {
            chain: 1,
            block,
            source: 'index',
            status: 'SYNCED',
            result: { balance: '7', decimals: 18, symbol: 'ETH' },
          },
        },
  )
  const { result, rerender } = renderHook(() => useNativeBalance({ address, chain: 'eth' }), wrap(client))
  await waitFor(() => expect(result.current.status).toBe('success'))
  const { at, data } = result.current
  expect(at).toMatchObject({ chain: 1, source: 'index' })
  rerender()
  expect(result.current.at).toBe(at)
  await act(() => result.current.refetch())
  expect(result.current.at).toBe(at)
  isLimited = true
  await act(() => result.current.refetch())
  expect(result.current).toMatchObject({ status: 'error', error: { code: 155 }, data: { symbol: 'ETH' } })
  expect(result.current.data).toBe(data)
  expect(result.current.at).toBe(at)
})

test('on-chain data takes select, initialData, placeholderData and enabled', async () => {
  const block = { number: 5, hash: '0x1', timestamp: time }
  const place = { chain: 1, block, source: 'index', status: 'SYNCED' }
  const { client, calls } = await connect((path) => ({
    body: path.endsWith('/transfers')
      ? { ...place, result: [{ transaction: '0x2', index: 0, amount: '3', block }] }
      : { ...place, result: { balance: '7', decimals: 18, symbol: 'ETH' } },
  }))
  const known = { balance: 1n, decimals: 18, symbol: 'ETH' }
  const input = { address, chain: 'eth' } as const
  const { result } = renderHook(
    () => ({
      balance: useNativeBalance({ ...input, select: ({ balance }) => balance, placeholderData: known }),
      initial: useNativeBalance({ ...input, enabled: false, initialData: known }),
      off: useNativeBalance({ ...input, chain: 5, enabled: false }),
      amounts: useTransfers({ ...input, initialData: [], select: (rows) => rows.map(({ amount }) => amount) }),
    }),
    wrap(client),
  )
  expect(result.current.balance).toMatchObject({ status: 'success', data: 1n, isPlaceholderData: true })
  expect(result.current.balance.at).toBeUndefined()
  expect(result.current.off).toMatchObject({ status: 'pending', fetchStatus: 'idle' })
  expect(result.current.amounts).toMatchObject({ status: 'success', data: [], hasMore: false })
  await waitFor(() => expect(result.current.balance).toMatchObject({ data: 7n, isPlaceholderData: false }))
  expect(result.current.balance.at).toMatchObject({ chain: 1, source: 'index' })
  // Data of another component is shown before a placeholder.
  expect(result.current.initial).toMatchObject({ data: { balance: 7n } })
  await waitFor(() => expect(result.current.amounts).toMatchObject({ status: 'success', data: [3n] }))
  expect(calls.filter((path) => path.includes('balance'))).toHaveLength(1)
})

/** A provider that records its requests. */
function createProvider() {
  const asked: string[] = []
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    if (method !== 'eth_call') return '0x1'
    asked.push(JSON.stringify(params))
    return `0x${'5'.padStart(64, '0')}`
  }
  return { provider: { request }, asked }
}

test('B3: five readers of the same make one call, and one refetch is for all of them', async () => {
  const { client } = await connect()
  const { provider, asked } = createProvider()
  const read = () => useReadContract({ address, abi: [...abi], functionName: 'total', provider })
  const { result } = renderHook(() => [read(), read(), read(), read(), read()], wrap(client, StrictMode))
  await waitFor(() => expect(result.current.map(({ data }) => data)).toEqual([5n, 5n, 5n, 5n, 5n]))
  expect(asked).toHaveLength(1)
  await act(() => Promise.all(result.current.map(({ refetch }) => refetch())))
  expect(asked).toHaveLength(2)
})

test('B3: another ABI is another question, and one that comes late is taken', async () => {
  const { client } = await connect()
  const { provider } = createProvider()
  type Abi = readonly unknown[]
  const { result, rerender } = renderHook(
    ({ abi }: { abi: Abi }) => useReadContract({ address, abi, functionName: 'total', provider }),
    { ...wrap(client), initialProps: { abi: [] as Abi } },
  )
  await waitFor(() => expect(result.current.status).toBe('error'))
  rerender({ abi })
  await waitFor(() => expect(result.current).toMatchObject({ status: 'success', data: 5n }))
  const asBool = [{ ...abi[0], outputs: [{ type: 'bytes32' }] }]
  rerender({ abi: asBool })
  await waitFor(() => expect(result.current.data).toBe(`0x${'5'.padStart(64, '0')}`))
  await act(() => result.current.refetch())
  expect(result.current.data).toBe(`0x${'5'.padStart(64, '0')}`)
})

test('B3: another provider, or other arguments, are another question', async () => {
  const { client } = await connect()
  const [one, other] = [createProvider(), createProvider()]
  const { result, rerender } = renderHook(
    ({ provider }) => useReadContract({ address, abi, functionName: 'total', provider }),
    { ...wrap(client), initialProps: { provider: one.provider } },
  )
  await waitFor(() => expect(result.current.status).toBe('success'))
  rerender({ provider: other.provider })
  await waitFor(() => expect(other.asked).toHaveLength(1))
  rerender({ provider: one.provider })
  await waitFor(() => expect(one.asked).toHaveLength(2))
})

test('B1: another client reads immediately', async () => {
  const [one, other] = [await connect(() => ({ body: { results: [toRow('one')] } })), await connect()]
  const shown: string[] = []
  function Show() {
    const { data } = useDocuments('Row')
    shown.push(data?.[0]?.objectId ?? '')
    return null
  }
  const page = (client: Client) => (
    <CountersignProvider client={client}>
      <Show />
    </CountersignProvider>
  )
  const { rerender } = render(page(one.client))
  rerender(page(other.client))
  await waitFor(() => expect(shown.at(-1)).toBe('a'))
  expect(shown).not.toContain('one')
})

test('L4: the outbox is read again after an action that sends a mail', async () => {
  const { client, calls } = await connect(() => ({ body: { results: [], handle: 'h', expiresAt: time } }))
  const count = () => calls.filter((path) => path === '/outbox').length
  renderHook(() => useOutbox(), wrap(client))
  await waitFor(() => expect(calls.length).toBeGreaterThan(0))
  await waitFor(() => expect(count(), calls.join()).toBe(1))
  const actions = [
    () => requestEmailVerification(client, { email: 'ada@example.org' }),
    () => requestPasswordReset(client, { email: 'ada@example.org' }),
    () => requestEmailCode(client, { email: 'ada@example.org' }),
  ]
  for (const [index, send] of actions.entries()) {
    await act(async () => void (await send()))
    await waitFor(() => expect(count()).toBe(index + 2))
  }
})
