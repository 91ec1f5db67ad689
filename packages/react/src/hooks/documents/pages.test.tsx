// @vitest-environment happy-dom
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react'
import * as React from 'react'
import { type ReactNode, StrictMode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import type { Client } from '../../core/client/Client.ts'
import { findDocumentPage } from '../../core/documents/findDocumentPage.ts'
import { defineQuery } from '../../core/documents/Query.ts'
import { createDocument } from '../../core/documents/saveDocuments.ts'
import { signOut } from '../../core/session/signOut.ts'
import { createTestClient, type ScriptedResponse } from '../../testClient/createTestClient.ts'
import { useDocumentPages } from './useDocumentPages.ts'

configure({ asyncUtilTimeout: 60_000 })
afterEach(cleanup)

const games = Array.from({ length: 25 }, (_, n) => ({ objectId: `g${n}`, n }))
const options = { order: ['n'], limit: 10 }

const wrap = (client: Client, Around: React.ComponentType<{ children: ReactNode }> = React.Fragment) => ({
  wrapper: ({ children }: { children: ReactNode }) => (
    <Around>
      <CountersignProvider client={client}>{children}</CountersignProvider>
    </Around>
  ),
})

for (const Around of [StrictMode, React.Fragment]) {
  test(`an infinite list grows page by page until there are no more (${Around === StrictMode})`, async () => {
    const client = createTestClient({ documents: { Game: games } })
    const { result } = renderHook(() => useDocumentPages('Game', options), wrap(client, Around))
    expect(result.current).toMatchObject({ status: 'pending', hasMore: false, isFetching: true })
    await waitFor(() => expect(result.current.status).toBe('success'))
    expect(result.current.data).toHaveLength(10)
    expect(result.current.hasMore).toBe(true)
    const [first] = result.current.data ?? []
    await act(() => Promise.all([result.current.loadMore(), result.current.loadMore()]))
    expect(result.current.data, 'two calls at once are one').toHaveLength(20)
    expect(result.current.data?.[0], 'rows keep their identity').toBe(first)
    await act(() => result.current.loadMore())
    expect(result.current.data?.map(({ n }) => n)).toEqual(games.map(({ n }) => n))
    expect(result.current.hasMore).toBe(false)
    await act(() => result.current.loadMore())
    expect(client.requests).toHaveLength(3)
  })
}

test('after a save the list is read again, as far as it was', async () => {
  const client = createTestClient({ documents: { Game: games } })
  const { result } = renderHook(() => useDocumentPages('Game', options), wrap(client))
  await waitFor(() => expect(result.current.status).toBe('success'))
  await act(() => result.current.loadMore())
  await act(async () => void (await createDocument(client, 'Game', { objectId: 'x', n: -1 })))
  await waitFor(() => expect(result.current.data?.[0]?.n).toBe(-1))
  expect(result.current.data).toHaveLength(20)
  expect(result.current.hasMore).toBe(true)
})

test('a page that is asked for while the list is read again is not lost', async () => {
  const client = createTestClient({ documents: { Game: games } })
  const { result } = renderHook(() => useDocumentPages('Game', options), wrap(client))
  await waitFor(() => expect(result.current.status).toBe('success'))
  await act(async () => {
    const loading = result.current.loadMore()
    await createDocument(client, 'Game', { n: 100 })
    await loading
  })
  await waitFor(() => expect(result.current.data).toHaveLength(20))
})

test('a failed next page keeps the list and the error; the next try continues', async () => {
  let failure: ScriptedResponse | undefined
  const client = createTestClient({ documents: { Game: games }, respond: () => failure })
  const { result } = renderHook(() => useDocumentPages('Game', options), wrap(client))
  await waitFor(() => expect(result.current.status).toBe('success'))
  failure = { status: 429, body: { code: 155, error: 'Too many requests.' } }
  await act(() => result.current.loadMore())
  expect(result.current).toMatchObject({ status: 'success', hasMore: true, moreError: { code: 155 } })
  expect(result.current.data).toHaveLength(10)
  failure = undefined
  await act(() => result.current.loadMore())
  expect(result.current.data).toHaveLength(20)
  expect(result.current.moreError).toBeUndefined()
})

test('another user’s list is read from its first page', async () => {
  const client = createTestClient({ user: { username: 'ada' }, documents: { Game: games } })
  const { result } = renderHook(() => useDocumentPages('Game', options), wrap(client))
  await waitFor(() => expect(result.current.status).toBe('success'))
  await act(() => result.current.loadMore())
  expect(result.current.data).toHaveLength(20)
  await act(() => signOut(client))
  await waitFor(() => expect(result.current.data).toHaveLength(10))
})

test('a document that moved to a later page while pages are read is shown once', async () => {
  const client = createTestClient({ documents: { Game: games } })
  const { result } = renderHook(() => useDocumentPages('Game', options), wrap(client))
  await waitFor(() => expect(result.current.status).toBe('success'))
  client.server.save('Game', { objectId: 'new', n: -5 })
  await act(() => result.current.loadMore())
  const ids = result.current.data?.map(({ objectId }) => objectId) ?? []
  expect(new Set(ids).size).toBe(ids.length)
})

test('a page that arrives after the input changed belongs to the former list alone', async () => {
  const answers = new Map<string, () => void>()
  let isHeld = false
  const client = createTestClient({
    documents: { Game: games, Song: [{ objectId: 's0', n: 0 }] },
    respond: async ({ path }) => {
      if (isHeld && path === '/classes/Game') await new Promise<void>((resolve) => answers.set(path, resolve))
      return undefined
    },
  })
  const { result, rerender } = renderHook(({ name }) => useDocumentPages(name, options), {
    ...wrap(client),
    initialProps: { name: 'Game' },
  })
  await waitFor(() => expect(result.current.data).toHaveLength(10))
  isHeld = true
  let loading: Promise<void> | undefined
  act(() => {
    loading = result.current.loadMore()
  })
  await waitFor(() => expect(answers.size).toBe(1))
  rerender({ name: 'Song' })
  await waitFor(() => expect(result.current.data).toHaveLength(1))
  await act(async () => {
    answers.get('/classes/Game')?.()
    await loading
  })
  expect(result.current).toMatchObject({ data: [{ objectId: 's0' }], hasMore: false, isFetching: false })
  isHeld = false
  rerender({ name: 'Game' })
  await waitFor(() => expect(result.current).toMatchObject({ status: 'success', isFetching: false }))
  expect(result.current.data).toHaveLength(10)
  await act(() => result.current.loadMore())
  expect(result.current.data?.map(({ n }) => n)).toEqual(games.slice(0, 20).map(({ n }) => n))
})

test('a list that stands for one that is not read yet has no next page', async () => {
  let hold: Promise<void> | undefined
  let release = () => {}
  const client = createTestClient({
    documents: { Game: games, Song: games },
    respond: async ({ path }) => {
      if (path === '/classes/Song') await hold
      return undefined
    },
  })
  hold = new Promise((resolve) => {
    release = resolve
  })
  const { result, rerender } = renderHook(({ name }) => useDocumentPages(name, { ...options, keepPrevious: true }), {
    ...wrap(client),
    initialProps: { name: 'Game' },
  })
  await waitFor(() => expect(result.current).toMatchObject({ status: 'success', hasMore: true }))
  rerender({ name: 'Song' })
  expect(result.current).toMatchObject({ isPlaceholderData: true, hasMore: false })
  expect(result.current.data).toHaveLength(10)
  await act(async () => release())
  await waitFor(() => expect(result.current).toMatchObject({ isPlaceholderData: false, hasMore: true }))
})

test('without React: a page and its cursor', async () => {
  const client = createTestClient({ documents: { Game: games } })
  const query = defineQuery('Game', { order: ['n'], limit: 20 })
  const first = await findDocumentPage(client, query)
  expect(first.items).toHaveLength(20)
  const { cursor } = first
  const second = await findDocumentPage(client, query, { cursor })
  expect(second.items).toHaveLength(5)
  expect(second.cursor).toBeUndefined()
})
