// @vitest-environment happy-dom
import { act, cleanup, configure, render, renderHook, screen, waitFor } from '@testing-library/react'
import { type ReactNode, Suspense } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import type { Client, ClientOptions } from '../../core/client/Client.ts'
import { increment } from '../../core/documents/op.ts'
import { defineQuery } from '../../core/documents/Query.ts'
import { saveDocument } from '../../core/documents/saveDocuments.ts'
import { pointer } from '../../core/documents/values.ts'
import { prefetchDocuments } from '../../core/live/prefetchDocuments.ts'
import { dehydrate } from '../../core/readings/dehydrate.ts'
import { createClient } from '../../core/setup/createClient.ts'
import { initialize } from '../../core/setup/initialize.ts'
import { createMemory } from '../../testing/createMemory.ts'
import { useDocument, useDocuments } from '../documents/useDocuments.ts'
import { useSuspenseAll } from '../documents/useSuspenseDocuments.ts'
import { useSession, useUser } from '../session/useSession.ts'

configure({ asyncUtilTimeout: 60_000 })
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const time = '2024-01-01T00:00:00.000Z'
const later = (milliseconds = 5) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const toRow = (objectId: string, n = 1) => ({ objectId, n, createdAt: time, updatedAt: time })

type Answer = { readonly status?: number; readonly body: unknown } | 'away'

function answerRows(path: string): Answer {
  if (path === '/users/me') return { body: { objectId: 'ada', username: 'ada', createdAt: time, updatedAt: time } }
  return { body: path.startsWith('/classes/Row/') ? toRow(path.slice(13)) : { results: [toRow('a')] } }
}

/** A client whose network is a function; `away` is a server that cannot be reached. */
function create(given: (path: string) => Answer | Promise<Answer> = answerRows, options: ClientOptions = {}) {
  const calls: string[] = []
  const network = { answer: given }
  const client = createClient({
    appId: 'app',
    serverUrl: 'http://server.test/server',
    session: 'storage',
    storage: createMemory(),
    attemptLimit: 1,
    async fetch(input) {
      const path = new URL(String(input)).pathname.replace('/server', '')
      calls.push(path)
      const answer = await network.answer(path)
      if (answer === 'away') throw new TypeError('fetch failed')
      const { status = 200, body } = answer
      return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } })
    },
    ...options,
  })
  return { client, calls, network }
}

async function connect(given?: (path: string) => Answer | Promise<Answer>, options?: ClientOptions) {
  const made = create(given, options)
  await initialize(made.client)
  return made
}

const wrap = (client: Client) => ({
  wrapper: ({ children }: { children: ReactNode }) => (
    <CountersignProvider client={client}>{children}</CountersignProvider>
  ),
})

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const holdTime = () =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })

test('H4: a reading that fails is read again with growing pauses until the server is back', async () => {
  const { client, calls, network } = await connect(() => 'away')
  holdTime()
  const { result } = renderHook(() => useDocuments('Row'), wrap(client))
  await pass(100)
  expect(result.current).toMatchObject({ status: 'error', isStale: false })
  await pass(20_000)
  expect(calls.length).toBeGreaterThan(3)
  expect(calls.length).toBeLessThan(8)
  expect(result.current.status, 'the error stays on show meanwhile').toBe('error')
  network.answer = answerRows
  await pass(30_000)
  expect(result.current).toMatchObject({ status: 'success', data: [{ objectId: 'a' }] })
})

for (const [name, signal] of Object.entries({
  focus: () => document.dispatchEvent(new Event('visibilitychange')),
  online: () => window.dispatchEvent(new Event('online')),
  'the live connection': (client: Client) =>
    client.internal.liveState.set({ status: 'open', attempts: 0, subscriptions: 1 }),
})) {
  test(`H4: it is read again at once by ${name}, and rows on show stay beside the error until then`, async () => {
    const { client, network } = await connect()
    holdTime()
    const { result, unmount } = renderHook(() => useDocuments('Row'), wrap(client))
    await pass(10)
    network.answer = () => ({ status: 500, body: { error: 'down' } })
    await act(() => result.current.refetch())
    expect(result.current).toMatchObject({ status: 'error', isStale: true, data: [{ objectId: 'a' }] })
    network.answer = () => ({ body: { results: [toRow('b')] } })
    await act(async () => void signal(client))
    await pass(10)
    expect(result.current).toMatchObject({ status: 'success', isStale: false, data: [{ objectId: 'b' }] })
    unmount()
    await pass(60_000)
    expect(vi.getTimerCount()).toBe(0)
  })
}

test('H4: during an outage one of 200 readings polls; then all are read', async () => {
  const { client, calls, network } = await connect(() => 'away')
  holdTime()
  const { result } = renderHook(
    () => Array.from({ length: 200 }, (_, n) => useDocument('Row', `row${n}`).status),
    wrap(client),
  )
  await pass(100)
  expect(calls).toHaveLength(200)
  await pass(60_000)
  expect(calls.length).toBeLessThan(210)
  network.answer = answerRows
  await pass(30_000)
  expect(new Set(result.current)).toEqual(new Set(['success']))
})

test('H4: a refusal is no outage, and retry: 0 leaves a failure alone', async () => {
  const refused = await connect(() => ({ status: 400, body: { code: 102, error: 'No.' } }))
  const away = await connect(() => 'away')
  const byDefault = await connect(() => 'away', { readDefaults: { retry: 0 } })
  holdTime()
  renderHook(() => useDocuments('Row'), wrap(refused.client))
  renderHook(() => useDocuments('Row', { retry: 0 }), wrap(away.client))
  renderHook(() => useDocuments('Row'), wrap(byDefault.client))
  await pass(60_000)
  expect([refused, away, byDefault].map(({ calls }) => calls.length)).toEqual([1, 1, 1])
})

test('H4: read options of the provider apply to every hook without its own', async () => {
  const { client, calls } = await connect(answerRows, { readDefaults: { staleTime: 60_000 } })
  const show = (staleTime?: number) => renderHook(() => useDocuments('Row', { staleTime }), wrap(client))
  const first = show()
  await waitFor(() => expect(first.result.current.status).toBe('success'))
  first.unmount()
  await act(() => later())
  show().unmount()
  await act(() => later())
  expect(calls).toHaveLength(1)
  show(0)
  await waitFor(() => expect(calls).toHaveLength(2))
})

test('M3: with keepPrevious the former rows stay beside the error of the next question', async () => {
  const { client, network } = await connect()
  const { result, rerender } = renderHook(({ n }) => useDocuments('Row', { where: { n }, keepPrevious: true }), {
    ...wrap(client),
    initialProps: { n: 1 },
  })
  await waitFor(() => expect(result.current.data).toHaveLength(1))
  network.answer = () => ({ status: 400, body: { code: 102, error: 'No.' } })
  rerender({ n: 2 })
  await waitFor(() => expect(result.current.error?.code).toBe(102))
  expect(result.current).toMatchObject({ data: [{ objectId: 'a' }], isPlaceholderData: true, isStale: true })
})

test('M2: initialData with staleTime is not read on mount', async () => {
  const { client, calls } = await connect()
  const initialData = [{ ...toRow('a'), __type: 'Object', className: 'Row' }] as never
  const { result } = renderHook(() => useDocuments('Row', { initialData, staleTime: 60_000 }), wrap(client))
  await act(() => later(20))
  expect(result.current).toMatchObject({ status: 'success', isFetching: false, data: [{ objectId: 'a' }] })
  expect(calls).toEqual([])
})

test('M5: without a network a save waits and is sent once; a reading fails immediately and recovers', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const { client, calls, network } = await connect(() => 'away', { attemptLimit: 5 })
  const { result } = renderHook(() => useDocument('Row', 'b'), wrap(client))
  const saving = saveDocument(client, pointer('Row', 'a'), { n: increment(1) })
  await waitFor(() => expect(result.current.status).toBe('error'))
  await act(() => later(50))
  expect(calls).toEqual(['/classes/Row/b'])
  network.answer = (path) => (path.endsWith('/a') ? { body: { n: 2, updatedAt: time } } : answerRows(path))
  online.mockReturnValue(true)
  await act(async () => {
    window.dispatchEvent(new Event('online'))
    await saving
  })
  expect(calls.filter((path) => path.endsWith('/a'))).toHaveLength(1)
  await waitFor(() => expect(result.current.status).toBe('success'))
})

/** A storage in which a session of ada lies. */
function createSignedIn(objectId = 'ada') {
  const storage = createMemory()
  const user = { objectId, username: objectId, createdAt: time, updatedAt: time }
  storage.setItem('Countersign/app/session', JSON.stringify({ user, token: 'r:1', id: 'one' }))
  return storage
}

function Overview() {
  const session = useSession()
  const rows = useDocuments('Row')
  return (
    <p>
      {[session.status, useUser()?.username, 'isVerifying' in session, rows.status, rows.data?.[0]?.objectId].join(' ')}
    </p>
  )
}

test('M1: reads start beside the check of the session, and the stored user is shown at once', async () => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const answer = async (path: string) => {
    if (path === '/users/me') await held
    return answerRows(path)
  }
  const { client, calls } = create(answer, { storage: createSignedIn() })
  const { container } = render(
    <CountersignProvider client={client} initializeOnMount>
      <Overview />
    </CountersignProvider>,
  )
  await waitFor(() => expect(container.textContent).toBe('undefined ada true success a'))
  release()
  await waitFor(() => expect(container.textContent).toBe('authenticated ada false success a'))
  await act(() => later(20))
  expect(calls.sort()).toEqual(['/classes/Row', '/users/me'])
})

test('M1: data read with a stored identity is dropped if the session is another’s or has ended', async () => {
  for (const outcome of ['eve', 'nobody'] as const) {
    let isChecked = false
    const answer = async (path: string): Promise<Answer> => {
      if (path !== '/users/me') return { body: { results: [toRow(isChecked ? 'new' : 'old')] } }
      await later(50)
      isChecked = true
      if (outcome === 'nobody') return { status: 400, body: { code: 209, error: 'Invalid session token' } }
      return { body: { objectId: 'eve', username: 'eve', createdAt: time, updatedAt: time } }
    }
    const { client } = create(answer, { storage: createSignedIn() })
    const { container, unmount } = render(
      <CountersignProvider client={client} initializeOnMount>
        <Overview />
      </CountersignProvider>,
    )
    await waitFor(() => expect(container.textContent).toBe('undefined ada true success old'))
    const end = outcome === 'eve' ? 'authenticated eve false success new' : 'unauthenticated  false success new'
    await waitFor(() => expect(container.textContent).toBe(end))
    unmount()
  }
})

test('M4: by cookie with storage blocked, the server is asked who is signed in', async () => {
  const blocked = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(blocked as never)
  for (const isSignedIn of [true, false]) {
    const answer = (path: string): Answer =>
      isSignedIn ? answerRows(path) : { status: 400, body: { code: 209, error: 'Invalid session token' } }
    const { client, calls } = await connect(answer, { session: 'cookie', storage: undefined })
    expect(client.session.get().status).toBe(isSignedIn ? 'authenticated' : 'unauthenticated')
    expect(calls).toEqual(['/users/me'])
  }
})

test('M6: two questions of one suspended component are asked side by side', async () => {
  const { client, calls } = await connect(async (path) => {
    await later(50)
    return answerRows(path)
  })
  function Both() {
    const [rows, others] = useSuspenseAll([defineQuery('Row'), defineQuery('Other', { limit: 5 })])
    return <p>{`${rows.data.length} ${others.data.length}`}</p>
  }
  await act(async () => {
    render(
      <Suspense fallback="waiting">
        <Both />
      </Suspense>,
      wrap(client),
    )
  })
  await waitFor(() => expect(calls).toHaveLength(2))
  expect(screen.queryByText('1 1')).toBeNull()
  await screen.findByText('1 1')
  expect(calls).toEqual(['/classes/Row', '/classes/Other'])
})

test('M6: prefetched data is shown with the first render', async () => {
  const { client, calls } = await connect()
  await prefetchDocuments(client, 'Row')
  const shown: unknown[] = []
  renderHook(() => {
    const rows = useDocuments('Row', { staleTime: 5_000 })
    shown.push(rows.status)
    return rows
  }, wrap(client))
  await act(() => later(20))
  expect(new Set(shown)).toEqual(new Set(['success']))
  expect(calls).toEqual(['/classes/Row'])
})

test('M2: data read by the server is in its HTML and in the page, and is requested once', async () => {
  const server = await connect()
  await prefetchDocuments(server.client, 'Row')
  const readings = JSON.parse(JSON.stringify(dehydrate(server.client)))
  const page = create(answerRows, { initialReadings: readings })
  function Rows() {
    const { data, status } = useDocuments('Row')
    return <p>{`${status} ${data?.[0]?.objectId} ${data?.[0]?.createdAt instanceof Date}`}</p>
  }
  const tree = (client: Client) => (
    <CountersignProvider client={client} initializeOnMount>
      <Rows />
    </CountersignProvider>
  )
  const html = renderToString(tree(create(answerRows, { initialReadings: readings }).client))
  expect(html).toBe('<p>success a true</p>')
  const container = document.createElement('div')
  container.innerHTML = html
  const errors: unknown[] = []
  const root = await act(async () =>
    hydrateRoot(container, tree(page.client), { onRecoverableError: (e) => errors.push(e) }),
  )
  await act(() => later(30))
  expect(container.innerHTML).toBe(html)
  expect(errors).toEqual([])
  expect(page.calls).toEqual([])
  // Read for a guest: a page whose user is another shows nothing of it.
  const other = create(() => ({ body: { results: [toRow('own')], objectId: 'ada', username: 'ada' } }), {
    initialReadings: readings,
    storage: createSignedIn(),
  })
  await act(async () => root.unmount())
  const { container: second } = render(tree(other.client))
  await waitFor(() => expect(second.textContent).toBe('success own true'))
})

test('a page that comes back from the back-forward cache reads its rows again, and follows the session', async () => {
  let rows = ['a']
  const answer = (path: string): Answer =>
    path === '/users/me' ? answerRows(path) : { body: { results: rows.map((id) => toRow(id)) } }
  const user = { objectId: 'ada', username: 'ada', createdAt: time, updatedAt: time }
  window.localStorage.setItem('Countersign/app/session', JSON.stringify({ user, token: 'r:1', id: 'one' }))
  const { client, calls } = await connect(answer, { storage: undefined })
  const { container, unmount } = render(<Overview />, wrap(client))
  await waitFor(() => expect(container.textContent).toBe('authenticated ada false success a'))
  const show = (persisted: boolean) =>
    act(async () => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted })))
  rows = ['b']
  const before = calls.length
  await show(false)
  await act(() => later(20))
  expect(calls, 'an ordinary load reads nothing twice').toHaveLength(before)
  await show(true)
  await waitFor(() => expect(container.textContent).toBe('authenticated ada false success b'))
  // Another tab signed out while the page was frozen: no event of it arrived.
  window.localStorage.removeItem('Countersign/app/session')
  rows = ['public']
  await show(true)
  await waitFor(() => expect(container.textContent).toBe('unauthenticated  false success public'))
  unmount()
  window.localStorage.clear()
})
