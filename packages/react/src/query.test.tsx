// @vitest-environment happy-dom
import {
  QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useSuspenseQuery,
} from '@tanstack/react-query'
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react'
import { type ReactNode, Suspense } from 'react'
import { afterEach, expect, test } from 'vitest'
import { onClassChange } from './core/documents/invalidateDocuments.ts'
import { createDocument, saveDocument } from './core/documents/saveDocuments.ts'
import { pointer } from './core/documents/values.ts'
import { signInWithPassword } from './core/session/signInWithPassword.ts'
import { signOut } from './core/session/signOut.ts'
import { createClient } from './core/setup/createClient.ts'
import { initialize } from './core/setup/initialize.ts'
import {
  createDocumentOptions,
  deleteDocumentOptions,
  documentCountOptions,
  documentOptions,
  documentPagesOptions,
  documentsOptions,
  functionOptions,
  runFunctionOptions,
  saveDocumentOptions,
  syncQueryClient,
} from './query.ts'
import { createTestClient, type TestClientOptions } from './testClient/createTestClient.ts'
import { createMemory } from './testing/createMemory.ts'

configure({ asyncUtilTimeout: 60_000 })
afterEach(cleanup)

const documents = {
  Game: Array.from({ length: 5 }, (_, n) => ({ objectId: `g${n}`, n, owner: pointer('Player', 'p') })),
  Player: [{ objectId: 'p', name: 'Ada' }],
}

function setUp(options: TestClientOptions = {}) {
  const client = createTestClient({ documents, ...options })
  const queryClient = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>
      <Suspense fallback="waiting">{children}</Suspense>
    </QueryClientProvider>
  )
  return { client, queryClient, wrapper }
}

test('documents, one document and a count, with select and Suspense', async () => {
  const { client, wrapper } = setUp()
  const { result } = renderHook(
    () => ({
      list: useQuery(documentsOptions(client, 'Game', { order: ['-n'], limit: 2 })),
      amount: useSuspenseQuery({ ...documentsOptions(client, 'Game'), select: (games) => games.length }),
      one: useQuery(documentOptions(client, 'Game', 'g3', { include: ['owner'] })),
      count: useQuery(documentCountOptions(client, 'Game', { where: { n: { $gt: 1 } } })),
    }),
    { wrapper },
  )
  await waitFor(() => expect(result.current?.count.data).toBe(3))
  await waitFor(() => expect(result.current.list.data?.map(({ n }) => n)).toEqual([4, 3]))
  expect(result.current.amount.data).toBe(5)
  await waitFor(() => expect(result.current.one.data).toMatchObject({ n: 3, owner: { name: 'Ada' } }))
})

test('infinite pages', async () => {
  const { client, wrapper } = setUp()
  const { result } = renderHook(
    () => useInfiniteQuery(documentPagesOptions(client, 'Game', { order: ['n'], limit: 2 })),
    { wrapper },
  )
  await waitFor(() => expect(result.current.hasNextPage).toBe(true))
  await act(async () => void (await result.current.fetchNextPage()))
  await act(async () => void (await result.current.fetchNextPage()))
  await waitFor(() =>
    expect(result.current.data?.pages.flatMap(({ items }) => items.map(({ n }) => n))).toEqual([0, 1, 2, 3, 4]),
  )
  expect(result.current.hasNextPage).toBe(false)
})

test('functions and mutations; after each what is on show of the class is read again', async () => {
  const { client, wrapper } = setUp({ functions: { double: ({ n }: { n: number }) => n * 2 } })
  const { result } = renderHook(
    () => ({
      twice: useQuery(functionOptions(client, 'double', { n: 21 })),
      run: useMutation(runFunctionOptions(client, 'double')),
      list: useQuery(documentsOptions(client, 'Game', { order: ['n'], include: ['owner'] })),
      create: useMutation(createDocumentOptions(client, 'Game')),
      save: useMutation(saveDocumentOptions(client, 'Game')),
      remove: useMutation(deleteDocumentOptions(client)),
    }),
    { wrapper },
  )
  await waitFor(() => expect(result.current.twice.data).toBe(42))
  await waitFor(() => expect(result.current.list.data).toHaveLength(5))
  await act(async () => expect(await result.current.run.mutateAsync({ n: 4 })).toBe(8))
  await act(async () => void (await result.current.create.mutateAsync({ n: 9 })))
  await waitFor(() => expect(result.current.list.data).toHaveLength(6))
  const [first] = result.current.list.data ?? []
  if (!first) throw new Error('no game')
  await act(async () => void (await result.current.save.mutateAsync({ document: first, changes: { n: -1 } })))
  await waitFor(() => expect(result.current.list.data?.[0]?.n).toBe(-1))
  await act(async () => result.current.remove.mutateAsync(first))
  await waitFor(() => expect(result.current.list.data).toHaveLength(5))
  // The class is not that of the query, but documents of it are in what was read.
  await act(async () => void (await saveDocument(client, pointer('Player', 'p'), { name: 'Grace' })))
  await waitFor(() => expect(result.current.list.data?.[0]).toMatchObject({ owner: { name: 'Grace' } }))
})

test('only what is about the class is read again', async () => {
  const { client, wrapper } = setUp()
  renderHook(() => [useQuery(documentsOptions(client, 'Game')), useQuery(documentsOptions(client, 'Player'))], {
    wrapper,
  })
  await waitFor(() => expect(client.requests).toHaveLength(2))
  await act(async () => void (await createDocument(client, 'Player', { name: 'Grace' })))
  await waitFor(() => expect(client.requests).toHaveLength(4))
  expect(client.requests.map(({ path }) => path).sort()).toEqual([
    '/classes/Game',
    '/classes/Player',
    '/classes/Player',
    '/classes/Player',
  ])
})

test('never shows another user’s data, also without a call of syncQueryClient', async () => {
  const { client, wrapper, queryClient } = setUp({
    user: { username: 'ada', password: 'x' },
    respond: ({ path }) =>
      path.startsWith('/classes/Secret') ? { body: { results: [{ objectId: who }] } } : undefined,
  })
  let who = 'ada'
  const options = documentsOptions(client, 'Secret')
  const { result } = renderHook(() => useQuery({ ...options, staleTime: Number.POSITIVE_INFINITY }), { wrapper })
  await waitFor(() => expect(result.current.data?.[0]?.objectId).toBe('ada'))
  who = 'nobody'
  await act(() => signOut(client))
  expect(queryClient.getQueryData(options.queryKey)?.[0]?.objectId).not.toBe('ada')
  await waitFor(() => expect(result.current.data?.[0]?.objectId).toBe('nobody'))
  who = 'ada again'
  await act(async () => void (await signInWithPassword(client, { username: 'ada', password: 'x' })))
  await waitFor(() => expect(result.current.data?.[0]?.objectId).toBe('ada again'))
})

test('a query waits for the initialization, and fails with it', async () => {
  const client = createClient({ storage: createMemory() })
  const { wrapper } = setUp()
  const { result } = renderHook(() => useQuery(documentsOptions(client, 'Game')), { wrapper })
  await act(async () => undefined)
  expect(result.current.status).toBe('pending')
  await act(() => initialize(client, { serverUrl: 'http://server.test' }))
  await waitFor(() => expect(result.current.error?.message).toMatch(/No appId/))
})

test('a refusal is not tried again, and its reason is there', async () => {
  const { client, wrapper } = setUp({ respond: () => ({ status: 400, body: { code: 102, error: 'Bad query.' } }) })
  const { result } = renderHook(() => useQuery(documentsOptions(client, 'Game')), { wrapper })
  await waitFor(() => expect(result.current.error?.code).toBe(102))
  expect(client.requests).toHaveLength(1)
})

test('an unused query cancels its request', async () => {
  const { client, queryClient } = setUp({ respond: () => new Promise(() => undefined) })
  const options = documentsOptions(client, 'Game')
  const reading = queryClient.fetchQuery(options).catch((error: Error) => error)
  await waitFor(() => expect(client.requests).toHaveLength(1))
  await queryClient.cancelQueries({ queryKey: options.queryKey })
  expect(await reading).toBeInstanceOf(Error)
})

test('syncQueryClient ends, and twice is once', async () => {
  const { client, queryClient } = setUp()
  const stop = syncQueryClient(client, queryClient)
  expect(syncQueryClient(client, queryClient)).toBe(stop)
  expect(client.internal.classListeners.size).toBe(1)
  stop()
  expect(client.internal.classListeners.size).toBe(0)
})

test('onClassChange: a listener receives each class that this client changed', async () => {
  const { client } = setUp()
  const heard: string[] = []
  const stop = onClassChange(client, (className) => heard.push(className))
  await createDocument(client, 'Game', { n: 1 })
  await createDocument(client, 'Player', { name: 'Grace' })
  stop()
  await createDocument(client, 'Game', { n: 2 })
  expect(heard).toEqual(['Game', 'Player'])
})
