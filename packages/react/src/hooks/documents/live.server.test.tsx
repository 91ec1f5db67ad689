// @vitest-environment happy-dom
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket as NodeSocket } from 'ws'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import type { Client } from '../../core/client/Client.ts'
import { deleteDocument } from '../../core/documents/deleteDocuments.ts'
import { defineQuery } from '../../core/documents/Query.ts'
import { createDocument, saveDocument } from '../../core/documents/saveDocuments.ts'
import { getLiveState, subscribeToDocuments } from '../../core/live/subscribe.ts'
import { signOut } from '../../core/session/signOut.ts'
import { signUp } from '../../core/session/signUp.ts'
import { createClient } from '../../core/setup/createClient.ts'
import { initialize } from '../../core/setup/initialize.ts'
import { createWire } from '../../testing/createWire.ts'
import { startServer, type TestServer } from '../../testing/startServer.ts'
import { useLiveDocuments, useSubscription } from './useLiveDocuments.ts'

let server: TestServer
beforeAll(async () => {
  // A first subscription makes the server record the class, which takes its time on a busy machine.
  configure({ asyncUtilTimeout: 60_000 })
  server = await startServer()
})
afterAll(() => server.remove())

/** Every opened socket, so that a test can cut the connection. */
const sockets: NodeSocket[] = []
beforeEach(() => {
  window.localStorage.clear()
  sockets.length = 0
  class WatchedSocket extends NodeSocket {
    constructor(url: string) {
      super(url)
      sockets.push(this)
    }
  }
  vi.stubGlobal('WebSocket', WatchedSocket)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

let counter = 0
const newName = () => `Live${++counter}`

async function connect() {
  const wire = createWire()
  const { appId, serverUrl } = server
  const client = createClient({ appId, serverUrl, session: 'storage', fetch: wire.fetch, throwOnError: true })
  await initialize(client)
  const finds = (className: string) =>
    wire.calls.filter(({ path, body }) => path === `/classes/${className}` && body?._method === 'GET').length +
    wire.calls.filter(({ path, method }) => path.startsWith(`/classes/${className}?`) && method === 'GET').length
  return { client, wire, finds }
}

const inside = (client: Client) => ({
  wrapper: ({ children }: { children: ReactNode }) => (
    <StrictMode>
      <CountersignProvider client={client}>{children}</CountersignProvider>
    </StrictMode>
  ),
})

async function make(client: Client, className: string, fields: Parameters<typeof createDocument>[2]) {
  const made = await createDocument(client, className, fields)
  if (!made) throw new Error('nothing was made')
  return made
}

test('a live query stays ordered and full under creates, moves, leaves and deletes; what did not change stays', async () => {
  const { client } = await connect()
  const className = newName()
  const objects = await Promise.all([1, 2, 3, 4, 5].map((n) => make(client, className, { n, open: true })))
  const { result } = renderHook(() => {
    const asked = { where: { open: true, n: { $gt: 0 } }, order: ['-n'], limit: 3 } as const
    const [one, other] = [useLiveDocuments(className, asked), useLiveDocuments(defineQuery(className, asked))]
    return { one, other, second: useLiveDocuments(className, { ...asked, skip: 1, limit: 2 }) }
  }, inside(client))
  const data = () => (result.current.one.status === 'success' ? result.current.one.data : [])
  const shows = (...numbers: number[]) =>
    waitFor(() => {
      expect(data().map(({ n }) => n)).toEqual(numbers)
      expect(result.current.second).toMatchObject({ data: numbers.slice(1).map((n) => ({ n })) })
    })
  expect(result.current.one.status).toBe('pending')
  await shows(5, 4, 3)
  expect(sockets).toHaveLength(1)
  expect(getLiveState(client).get()).toMatchObject({ status: 'open', subscriptions: 2 })
  expect(result.current.other).toMatchObject({ data: data() })
  const [first] = data()

  const other = await connect()
  const made = await make(other.client, className, { n: 4.5, open: true })
  await shows(5, 4.5, 4)
  expect(data()[0]).toBe(first)
  await act(() => saveDocument(other.client, made, { n: 9 }))
  await shows(9, 5, 4)
  await act(() => saveDocument(other.client, made, { n: 0.5 }))
  await shows(5, 4, 3)
  const [, , third, fourth] = objects
  if (!third || !fourth) throw new Error('not made')
  const closed = await act(() => saveDocument(other.client, fourth, { open: false }))
  await shows(5, 3, 2)
  await act(() => deleteDocument(other.client, third))
  await shows(5, 2, 1)
  await act(() => saveDocument(other.client, closed ?? fourth, { open: true, n: 6 }))
  await shows(6, 5, 2)
  expect(data()[1]).toBe(first)
  expect(sockets).toHaveLength(1)
})

test('a subscription reports the five events, with what was before', async () => {
  const { client } = await connect()
  const className = newName()
  const log: unknown[] = []
  const opened = new Promise<void>((resolve) => {
    const note =
      (name: string) =>
      (object: unknown, original?: unknown): void => {
        log.push([name, (object as { n: number }).n, (original as { n: number } | undefined)?.n])
      }
    const stop = subscribeToDocuments(client, {
      query: defineQuery(className, { where: { n: { $gt: 10 } }, excludeKeys: ['secret'] }),
      onOpen: resolve,
      onError: (error) => log.push(error),
      onCreate(object) {
        expect(object).toMatchObject({ __type: 'Object', className, createdAt: expect.any(Date) })
        expect(object).not.toHaveProperty('secret')
        expect(Object.isFrozen(object)).toBe(true)
        note('create')(object)
      },
      onUpdate: note('update'),
      onEnter: note('enter'),
      onLeave: note('leave'),
      onDelete(object) {
        note('delete')(object)
        stop()
      },
    })
  })
  await opened
  const made = await make(client, className, { n: 11, secret: 1 })
  await saveDocument(client, made, { n: 12 })
  await saveDocument(client, made, { n: 1 })
  await saveDocument(client, made, { n: 13 })
  await deleteDocument(client, made)
  await waitFor(() => expect(log).toHaveLength(5))
  expect(log).toEqual([
    ['create', 11, undefined],
    ['update', 12, 11],
    ['leave', 1, 12],
    ['enter', 13, 1],
    ['delete', 13, undefined],
  ])
  expect(getLiveState(client).get().subscriptions).toBe(0)
})

test('events while the connection is down arrive afterwards, without reading again', async () => {
  const { client, finds } = await connect()
  const className = newName()
  await make(client, className, { n: 1 })
  const { result } = renderHook(
    () => useLiveDocuments(className, { where: { n: { $gt: 0 } }, order: ['n'] }),
    inside(client),
  )
  const numbers = () => (result.current.status === 'success' ? result.current.data.map(({ n }) => n) : [])
  await waitFor(() => expect(numbers()).toEqual([1]))
  const before = finds(className)
  const other = await connect()
  await make(other.client, className, { n: 2 })
  await waitFor(() => expect(numbers()).toEqual([1, 2]))
  sockets[0]?.terminate()
  await waitFor(() => expect(getLiveState(client).get().status).toBe('waiting'))
  for (const n of [3, 4, 5]) await make(other.client, className, { n })
  await waitFor(() => expect(numbers()).toEqual([1, 2, 3, 4, 5]))
  expect(sockets).toHaveLength(2)
  expect(finds(className)).toBe(before)
})

test('each user sees their own: sign-in, sign-out and a revoked session open the connection again', async () => {
  const { client } = await connect()
  const className = newName()
  await server.asMaster('POST', `/classes/${className}`, { n: 0 })
  const { result } = renderHook(() => useLiveDocuments(className, { order: ['n'] }), inside(client))
  const numbers = () => (result.current.status === 'success' ? result.current.data.map(({ n }) => n) : undefined)
  await waitFor(() => expect(numbers()).toEqual([0]))
  const user = await act(() => signUp(client, { username: newName(), password: 'correct horse' }))
  const mine = (n: number) => ({ n, ACL: { [user?.objectId ?? '']: { read: true, write: true } } })
  await waitFor(() => expect(numbers()).toEqual([0]))
  await server.asMaster('POST', `/classes/${className}`, mine(1))
  await waitFor(() => expect(numbers()).toEqual([0, 1]))
  await act(() => signOut(client))
  await waitFor(() => expect(numbers()).toEqual([0]))
  await server.asMaster('POST', `/classes/${className}`, mine(2))
  await server.asMaster('POST', `/classes/${className}`, { n: 3 })
  await waitFor(() => expect(numbers()).toEqual([0, 3]))

  await act(() => signUp(client, { username: newName(), password: 'correct horse' }))
  await waitFor(() => expect(getLiveState(client).get().status).toBe('open'))
  await waitFor(() => expect(numbers()).toEqual([0, 3]))
  const { results } = await server.asMaster('GET', '/sessions?order=-createdAt&limit=1')
  const [session] = results as { objectId: string }[]
  await server.asMaster('DELETE', `/sessions/${session?.objectId}`)
  await waitFor(() => expect(client.session.get().status).toBe('unauthenticated'))
  await server.asMaster('POST', `/classes/${className}`, { n: 4 })
  await waitFor(() => expect(numbers()).toEqual([0, 3, 4]))
})

test('the cookie counts only for the session that the page has', async () => {
  vi.unstubAllGlobals()
  // The sockets of the simulated page send cookies and origin, as those of browsers do.
  const page = window as unknown as { happyDOM: { setURL(url: string): void } }
  page.happyDOM.setURL(`${server.origin}/profile`)
  const open = async () => {
    const client = createClient({ appId: server.appId, serverUrl: '/server', throwOnError: true })
    await initialize(client)
    return client
  }
  const client = await open()
  const className = newName()
  const user = await signUp(client, { username: newName(), password: 'correct horse' })
  const mine = (n: number) => ({ n, ACL: { [user?.objectId ?? '']: { read: true, write: true } } })
  await server.asMaster('POST', `/classes/${className}`, { n: 0 })
  const { result } = renderHook(() => useLiveDocuments(className, { order: ['n'] }), inside(client))
  await waitFor(() => expect(result.current).toMatchObject({ data: [{ n: 0 }] }))
  await server.asMaster('POST', `/classes/${className}`, mine(1))
  await waitFor(() => expect(result.current).toMatchObject({ data: [{ n: 0 }, { n: 1 }] }))

  window.localStorage.clear()
  const stranger = await open()
  const seen: unknown[] = []
  await new Promise<void>((resolve) => {
    subscribeToDocuments(stranger, {
      query: defineQuery(className),
      onOpen: resolve,
      onCreate: ({ n }) => seen.push(n),
    })
  })
  await server.asMaster('POST', `/classes/${className}`, mine(2))
  await server.asMaster('POST', `/classes/${className}`, { n: 3 })
  await waitFor(() => expect(seen).toContain(3))
  expect(seen).toEqual([3])
  await waitFor(() => expect(result.current).toMatchObject({ data: [{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }] }))
  page.happyDOM.setURL('about:blank')
})

test('objects that are read along come with each event, and are never shown without', async () => {
  const { client } = await connect()
  const [player, game] = [newName(), newName()]
  const owner = await make(client, player, { name: 'Ada' })
  await make(client, game, { n: 1, owner })
  const seen: unknown[] = []
  const { result } = renderHook(() => {
    const found = useLiveDocuments(game, { order: ['-n'], include: ['owner'], limit: 2 })
    if (found.status === 'success') seen.push(...found.data.map((one) => (one.owner as { name?: string }).name))
    return found
  }, inside(client))
  await waitFor(() => expect(result.current).toMatchObject({ data: [{ owner: { name: 'Ada' } }] }))
  const other = await connect()
  const made = await make(other.client, game, { n: 2, owner })
  await waitFor(() => expect(result.current).toMatchObject({ data: [{ n: 2, owner: { name: 'Ada' } }, { n: 1 }] }))
  const next = await make(other.client, player, { name: 'Bob' })
  await act(() => saveDocument(other.client, made, { owner: next }))
  await waitFor(() => expect(result.current).toMatchObject({ data: [{ n: 2, owner: { name: 'Bob' } }, { n: 1 }] }))
  expect(new Set(seen)).toEqual(new Set(['Ada', 'Bob']))
})

test('keys leave the order intact and show no more than was asked for', async () => {
  const { client } = await connect()
  const className = newName()
  await make(client, className, { n: 1, title: 'one', more: true })
  const { result } = renderHook(() => useLiveDocuments(className, { order: ['-n'], keys: ['title'] }), inside(client))
  await waitFor(() => expect(result.current).toMatchObject({ data: [{ title: 'one' }] }))
  await act(() => make(client, className, { n: 2, title: 'two', more: true }))
  await waitFor(() => expect(result.current).toMatchObject({ data: [{ title: 'two' }, { title: 'one' }] }))
  for (const one of result.current.status === 'success' ? result.current.data : []) {
    expect(one).not.toHaveProperty('n')
    expect(one).not.toHaveProperty('more')
  }
})

test('a refusal is the error of that query alone; nothing is opened while it is disabled', async () => {
  const { client } = await connect()
  const className = newName()
  await make(client, className, { n: 1 })
  const inner = { $inQuery: { className: '_Role', where: { name: 'x' } } }
  const { result, rerender } = renderHook(
    ({ enabled }) => ({
      refused: useLiveDocuments(className, { where: { owner: inner }, enabled }),
      fine: useLiveDocuments(className, { enabled }),
    }),
    { ...inside(client), initialProps: { enabled: false } },
  )
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(sockets).toHaveLength(0)
  rerender({ enabled: true })
  await waitFor(() => expect(result.current.fine).toMatchObject({ status: 'success', data: [{ n: 1 }] }))
  await waitFor(() => expect(result.current.refused).toMatchObject({ status: 'error', error: { code: 102 } }))
})

test('the subscription of a component: the latest callbacks, its state, its end', async () => {
  const { client } = await connect()
  const className = newName()
  const log: string[] = []
  const { result, rerender, unmount } = renderHook(
    ({ name }) =>
      useSubscription({
        query: defineQuery(className, { where: {} }),
        onCreate: (object) => log.push(`${name} ${object.n}`),
      }),
    { ...inside(client), initialProps: { name: 'first' } },
  )
  expect(result.current.status).toBe('pending')
  await waitFor(() => expect(result.current.status).toBe('open'))
  expect(getLiveState(client).get().subscriptions).toBe(1)
  await make(client, className, { n: 1 })
  await waitFor(() => expect(log).toEqual(['first 1']))
  rerender({ name: 'second' })
  await make(client, className, { n: 2 })
  await waitFor(() => expect(log).toEqual(['first 1', 'second 2']))
  sockets[0]?.terminate()
  await waitFor(() => expect(result.current.status).toBe('pending'))
  window.dispatchEvent(new Event('online'))
  expect(getLiveState(client).get().status).toBe('connecting')
  await waitFor(() => expect(result.current.status).toBe('open'))
  unmount()
  expect(getLiveState(client).get().subscriptions).toBe(0)
})

test('a page that is made on the server shows the state of loading', async () => {
  const { client } = await connect()
  function Page() {
    const games = useLiveDocuments('Game')
    const { status } = useSubscription({ query: defineQuery('Game') })
    return <p>{`${games.status} ${status}`}</p>
  }
  const { wrapper: Wrapper } = inside(client)
  expect(
    renderToString(
      <Wrapper>
        <Page />
      </Wrapper>,
    ),
  ).toContain('pending pending')
  expect(sockets).toHaveLength(0)
})
