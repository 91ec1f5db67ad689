// @vitest-environment happy-dom
import { act, cleanup, configure, render, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import type { Client } from '../../core/client/Client.ts'
import { createClient } from '../../core/setup/createClient.ts'
import { createTestClient, type ScriptedResponse, type TestClientOptions } from '../../testClient/createTestClient.ts'
import { createMemory } from '../../testing/createMemory.ts'
import { useDocuments } from '../documents/useDocuments.ts'

configure({ asyncUtilTimeout: 60_000 })
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const wrap = (client: Client) => ({
  wrapper: ({ children }: { children: ReactNode }) => (
    <CountersignProvider client={client}>{children}</CountersignProvider>
  ),
})

const create = (options: TestClientOptions = {}) =>
  createTestClient({ documents: { Game: [{ objectId: 'a', n: 1 }] }, ...options })

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

/** Loads the code that keeps readings fresh first: with fake timers nothing waits for it. */
async function holdTime() {
  await import('../../core/readings/keepFresh.ts')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
}

test('enabled: false reads nothing until it is asked to; then it does', async () => {
  const client = create()
  const { result, rerender } = renderHook(({ enabled }) => useDocuments('Game', { enabled }), {
    ...wrap(client),
    initialProps: { enabled: false },
  })
  await act(async () => undefined)
  expect(result.current).toMatchObject({ status: 'pending', fetchStatus: 'idle', isFetching: false })
  expect(client.requests).toHaveLength(0)
  await act(() => result.current.refetch())
  expect(result.current.data).toHaveLength(1)
  rerender({ enabled: true })
  await waitFor(() => expect(client.requests).toHaveLength(2))
})

test('select shapes the data, and runs again only for new data or another function', async () => {
  const client = create()
  const select = vi.fn((games: readonly unknown[]) => ({ amount: games.length }))
  const { result, rerender } = renderHook(() => useDocuments('Game', { select }), wrap(client))
  await waitFor(() => expect(result.current.data).toEqual({ amount: 1 }))
  const { data } = result.current
  rerender()
  expect(result.current.data).toBe(data)
  expect(select).toHaveBeenCalledTimes(1)
})

test('L5: a select written in place gives the same object for as long as it makes the same', async () => {
  const client = create()
  const shaped = renderHook(
    () => useDocuments('Game', { select: (games) => games.map(({ n }) => ({ n })) }),
    wrap(client),
  )
  await waitFor(() => expect(shaped.result.current.data).toEqual([{ n: 1 }]))
  const { data } = shaped.result.current
  shaped.rerender()
  expect(shaped.result.current.data).toBe(data)
  const sets = renderHook(
    () => useDocuments('Game', { select: (games) => new Set(games.map(({ n }) => n)) }),
    wrap(client),
  )
  await waitFor(() => expect(sets.result.current.data).toEqual(new Set([1])))
  client.server.save('Game', { objectId: 'a', n: 2 })
  await act(() => sets.result.current.refetch())
  expect(sets.result.current.data, 'what is no plain object is taken as it is').toEqual(new Set([2]))
})

test('initialData is shown as data at once and replaced by what is read', async () => {
  const client = create()
  const before = client.server.list('Game').map((game) => ({ ...game, n: 0 }))
  const { result } = renderHook(() => useDocuments('Game', { initialData: before }), wrap(client))
  expect(result.current).toMatchObject({ status: 'success', isPlaceholderData: false, isFetching: true })
  expect(result.current.data?.[0]?.n).toBe(0)
  await waitFor(() => expect(result.current.data?.[0]?.n).toBe(1))
  expect(result.current.isFetching).toBe(false)
})

test('placeholderData is shown and marked until there is data', async () => {
  const client = create()
  const { result } = renderHook(() => useDocuments('Game', { placeholderData: [] }), wrap(client))
  expect(result.current).toMatchObject({ status: 'success', data: [], isPlaceholderData: true })
  await waitFor(() => expect(result.current.data).toHaveLength(1))
  expect(result.current.isPlaceholderData).toBe(false)
})

test('keepPrevious keeps the former data on show while another question is read', async () => {
  const client = create()
  const { result, rerender } = renderHook(({ n }) => useDocuments('Game', { where: { n }, keepPrevious: true }), {
    ...wrap(client),
    initialProps: { n: 1 },
  })
  await waitFor(() => expect(result.current.data).toHaveLength(1))
  rerender({ n: 2 })
  expect(result.current).toMatchObject({ status: 'success', isPlaceholderData: true, isFetching: true })
  await waitFor(() => expect(result.current.data).toEqual([]))
})

test('refetchInterval reads again and again while it is on show', async () => {
  const client = create()
  await holdTime()
  const { result, unmount } = renderHook(() => useDocuments('Game', { refetchInterval: 1000 }), wrap(client))
  await pass(10)
  expect(result.current.status).toBe('success')
  await pass(3000)
  expect(client.requests).toHaveLength(4)
  unmount()
  await pass(3000)
  expect(client.requests).toHaveLength(4)
})

test('staleTime: what another component read a moment ago is not read again', async () => {
  const client = create()
  await holdTime()
  const first = renderHook(() => useDocuments('Game', { staleTime: 5000 }), wrap(client))
  await pass(10)
  first.unmount()
  await pass(1000)
  const second = renderHook(() => useDocuments('Game', { staleTime: 5000 }), wrap(client))
  await pass(10)
  expect(second.result.current).toMatchObject({ status: 'success', isFetching: false })
  expect(client.requests).toHaveLength(1)
  second.unmount()
  await pass(5000)
  renderHook(() => useDocuments('Game', { staleTime: 5000 }), wrap(client))
  await pass(10)
  expect(client.requests).toHaveLength(2)
})

test('refetchOnFocus and refetchOnReconnect read again what is stale, and nothing else does', async () => {
  const client = create()
  await holdTime()
  const options = { refetchOnFocus: true, refetchOnReconnect: true, staleTime: 1000 }
  const { unmount } = renderHook(() => [useDocuments('Game', options), useDocuments('Player')], wrap(client))
  await pass(10)
  const games = () => client.requests.filter(({ path }) => path === '/classes/Game').length
  document.dispatchEvent(new Event('visibilitychange'))
  window.dispatchEvent(new Event('online'))
  await pass(10)
  expect(games(), 'it is fresh').toBe(1)
  await pass(2000)
  document.dispatchEvent(new Event('visibilitychange'))
  await pass(10)
  expect(games()).toBe(2)
  await pass(2000)
  window.dispatchEvent(new Event('online'))
  await pass(10)
  expect(games()).toBe(3)
  unmount()
  await pass(2000)
  window.dispatchEvent(new Event('online'))
  await pass(10)
  expect(games()).toBe(3)
  expect(client.requests.filter(({ path }) => path === '/classes/Player')).toHaveLength(1)
})

test('retry tries a failed reading again, each time later, and no more often than it says', async () => {
  let failure: ScriptedResponse | undefined = { status: 400, body: { code: 102, error: 'No.' } }
  const client = create({ respond: () => failure })
  await holdTime()
  const { result } = renderHook(() => useDocuments('Game', { retry: 2 }), wrap(client))
  await pass(10)
  expect(result.current.status).toBe('error')
  await pass(1100)
  expect(client.requests).toHaveLength(2)
  await pass(2100)
  expect(client.requests).toHaveLength(3)
  await pass(60_000)
  expect(client.requests).toHaveLength(3)
  failure = undefined
  await act(() => result.current.refetch())
  expect(result.current.status).toBe('success')
})

test('warns once if hooks wait because the client was never initialized', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  await import('../../components/warnOfWaiting.ts')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const Wait = () => <p>{useDocuments('Game').status}</p>
  const show = (client: Client) => render(<Wait />, wrap(client))
  show(create())
  await pass(10_000)
  expect(warn, 'an initialized one waits for nobody').not.toHaveBeenCalled()
  const made = createClient({ appId: 'app', serverUrl: 'http://server.test', storage: createMemory() })
  const { unmount } = show(made)
  await pass(1000)
  unmount()
  await pass(10_000)
  expect(warn, 'one that left says nothing').not.toHaveBeenCalled()
  show(made)
  await pass(10_000)
  await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(1))
  expect(warn.mock.calls[0]?.[0]).toMatch(/not initialized.*1 hook waits.*initializeOnMount/)
  show(createClient({ appId: 'app', storage: createMemory() }))
  await pass(10_000)
  expect(warn).toHaveBeenCalledTimes(1)
})
