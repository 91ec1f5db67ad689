// @vitest-environment happy-dom
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import type { Client } from '../../core/client/Client.ts'
import { deleteDocument } from '../../core/documents/deleteDocuments.ts'
import { loadWriting } from '../../core/documents/loadWriting.ts'
import * as op from '../../core/documents/op.ts'
import { saveDocument } from '../../core/documents/saveDocuments.ts'
import { signOut } from '../../core/session/signOut.ts'
import { createTestClient, type ScriptedResponse, type SentRequest } from '../../testClient/createTestClient.ts'
import { useDocumentPages } from './useDocumentPages.ts'
import { useDocument, useDocuments } from './useDocuments.ts'
import { useLiveDocuments } from './useLiveDocuments.ts'
import { useDeleteDocument, useSaveDocument } from './useSaveDocument.ts'

configure({ asyncUtilTimeout: 60_000 })
afterEach(cleanup)

const wrapper = (client: Client) => ({
  wrapper: ({ children }: { children: ReactNode }) => (
    <CountersignProvider client={client}>{children}</CountersignProvider>
  ),
})

const documents = {
  Game: [
    { objectId: 'a', title: 'Chess', score: 1, tags: ['board'], settings: { theme: 'dark', size: 2 } },
    { objectId: 'b', title: 'Go', score: 2 },
  ],
}

/** A server that responds to writes when the test says so. */
function createSlow() {
  const held: ((response?: ScriptedResponse) => void)[] = []
  const respond = ({ method }: SentRequest) =>
    method === 'GET' ? undefined : new Promise<ScriptedResponse | undefined>((resolve) => held.push(resolve))
  const client = createTestClient({ user: { username: 'ada' }, documents, respond })
  return {
    client,
    async settle(response?: ScriptedResponse) {
      await waitFor(() => expect(held.length).toBeGreaterThan(0))
      held.shift()?.(response)
    },
  }
}

const refusal: ScriptedResponse = { status: 400, body: { code: 142, error: 'No.' } }

async function show(client: Client) {
  await loadWriting()
  const shown = renderHook(
    () => ({
      list: useDocuments('Game', { order: ['objectId'] }),
      one: useDocument('Game', 'a'),
      pages: useDocumentPages('Game', { order: ['objectId'] }),
      live: useLiveDocuments('Game', { order: ['objectId'] }),
      saving: useSaveDocument('Game', { optimistic: true }),
      deleting: useDeleteDocument({ optimistic: true }),
    }),
    wrapper(client),
  )
  await waitFor(() => {
    const { list, one, pages, live } = shown.result.current
    expect([list, one, pages, live].map(({ status }) => status)).toEqual(Array(4).fill('success'))
  })
  const titles = () => {
    const { list, one, pages, live } = shown.result.current
    return [list.data?.[0], one.data, pages.data?.[0], live.data?.[0]].map((game) => game?.title)
  }
  return { ...shown, titles }
}

test('a change shows immediately wherever the document is, and stays when saved', async () => {
  const { client, settle } = createSlow()
  const { result, titles } = await show(client)
  const [game, other] = result.current.list.data ?? []
  if (!game) throw new Error('no game')
  let saving: Promise<unknown> = Promise.resolve()
  await act(async () => {
    saving = result.current.saving.save(game, { title: 'Checkers' })
  })
  expect(titles()).toEqual(Array(4).fill('Checkers'))
  expect(result.current.saving.status).toBe('pending')
  expect(result.current.list.data?.[1], 'others keep their identity').toBe(other)
  expect(client.server.list('Game')[0]?.title).toBe('Chess')
  const seen: unknown[] = []
  const read = () => seen.push(titles()[0])
  await act(async () => {
    await settle()
    await saving
    read()
  })
  read()
  await waitFor(() => expect(result.current.list.isFetching).toBe(false))
  read()
  expect(new Set(seen), 'the former title never comes back').toEqual(new Set(['Checkers']))
  expect(titles()).toEqual(Array(4).fill('Checkers'))
  expect(client.server.list('Game')[0]?.title).toBe('Checkers')
})

test('a refused change is reverted everywhere', async () => {
  const { client, settle } = createSlow()
  const { result, titles } = await show(client)
  const game = result.current.list.data?.[0]
  if (!game) throw new Error('no game')
  await act(async () => void result.current.saving.save(game, { title: 'Checkers' }))
  expect(titles()).toEqual(Array(4).fill('Checkers'))
  await act(() => settle(refusal))
  await waitFor(() => expect(result.current.saving).toMatchObject({ status: 'error', error: { code: 142 } }))
  await waitFor(() => expect(titles()).toEqual(Array(4).fill('Chess')))
  expect(client.internal.overlay).toBeUndefined()
  expect(client.internal.edits.get()).toEqual([])
})

test('operations and paths show their probable result', async () => {
  const { client, settle } = createSlow()
  const { result } = await show(client)
  const game = result.current.list.data?.[0]
  if (!game) throw new Error('no game')
  const changes = { score: op.increment(5), tags: op.addUnique('board', 'old'), 'settings.theme': 'light' }
  await act(async () => void result.current.saving.save(game, changes))
  expect(result.current.one.data).toMatchObject({
    score: 6,
    tags: ['board', 'old'],
    settings: { theme: 'light', size: 2 },
  })
  await act(() => settle())
  await waitFor(() => expect(result.current.saving.status).toBe('success'))
  await waitFor(() => expect(result.current.one).toMatchObject({ isFetching: false, data: { score: 6 } }))
  expect(result.current.list.data?.[0]).toMatchObject({ score: 6, tags: ['board', 'old'] })
})

test('two concurrent changes: the failed one reverts only its own part', async () => {
  const { client, settle } = createSlow()
  const { result } = await show(client)
  const game = result.current.list.data?.[0]
  if (!game) throw new Error('no game')
  await act(async () => {
    saveDocument(client, game, { title: 'First' }, { optimistic: true }).catch(() => undefined)
    saveDocument(client, game, { score: 9 }, { optimistic: true }).catch(() => undefined)
  })
  expect(result.current.one.data).toMatchObject({ title: 'First', score: 9 })
  await act(() => settle(refusal))
  await waitFor(() => expect(result.current.one.data).toMatchObject({ title: 'Chess', score: 9 }))
  await act(() => settle())
  await waitFor(() => expect(client.server.list('Game')[0]).toMatchObject({ title: 'Chess', score: 9 }))
  await waitFor(() => expect(result.current.one.data).toMatchObject({ title: 'Chess', score: 9 }))
})

test('data read while a change is pending includes the change', async () => {
  const { client, settle } = createSlow()
  const { result, titles } = await show(client)
  const game = result.current.list.data?.[0]
  if (!game) throw new Error('no game')
  await act(async () => void result.current.saving.save(game, { title: 'Checkers' }))
  await act(() => result.current.list.refetch())
  expect(titles()[0]).toBe('Checkers')
  await act(() => settle(refusal))
  await waitFor(() => expect(titles()[0]).toBe('Chess'))
})

test('a deleted document leaves the lists immediately and returns if the deletion fails', async () => {
  const { client, settle } = createSlow()
  const { result } = await show(client)
  const game = result.current.list.data?.[0]
  if (!game) throw new Error('no game')
  const ids = () => [result.current.list, result.current.pages, result.current.live].map(({ data }) => data?.length)
  await act(async () => void result.current.deleting.deleteDocument(game))
  expect(ids()).toEqual([1, 1, 1])
  await act(() => settle(refusal))
  await waitFor(() => expect(ids()).toEqual([2, 2, 2]))
  await act(async () => {
    const deleting = deleteDocument(client, game, { optimistic: true })
    await settle()
    await deleting
  })
  await waitFor(() => expect(ids()).toEqual([1, 1, 1]))
  expect(client.server.list('Game')).toHaveLength(1)
})

test('a new document is shown once, also if a live query shows it before the response', async () => {
  const { client, settle } = createSlow()
  const { result } = await show(client)
  const scores = () => result.current.live.data?.filter(({ title }) => title === 'Go').map(({ score }) => score)
  // Two equal ones, and one that was there before and is none of them.
  const made: Promise<unknown>[] = []
  await act(async () => {
    for (const score of [2, 2, 3]) made.push(result.current.saving.createAsync({ title: 'Go', score }))
  })
  expect(scores()?.sort()).toEqual([2, 2, 2, 3])
  const created = { createdAt: new Date().toISOString() }
  for (const [objectId, score] of [
    ['n1', 2],
    ['n2', 2],
    ['n3', 3],
  ] as const) {
    await act(async () => void client.server.save('Game', { objectId, title: 'Go', score }))
    expect(scores()?.sort()).toEqual([2, 2, 2, 3])
    await act(() => settle({ status: 201, body: { objectId, ...created } }))
    await waitFor(() =>
      expect(client.internal.edits.get().length).toBe(objectId === 'n3' ? 0 : objectId === 'n2' ? 1 : 2),
    )
    expect(scores()?.sort()).toEqual([2, 2, 2, 3])
  }
  await act(async () => void (await Promise.all(made)))
  expect(result.current.live.data?.map(({ objectId }) => objectId)).toEqual(['a', 'b', 'n1', 'n2', 'n3'])
})

test('after a sign-out the former user’s pending changes are hidden', async () => {
  const { client, settle } = createSlow()
  const { result, titles } = await show(client)
  const game = result.current.list.data?.[0]
  if (!game) throw new Error('no game')
  await act(async () => void result.current.saving.save(game, { title: 'Secret' }))
  expect(titles()[0]).toBe('Secret')
  let leaving: Promise<unknown> = Promise.resolve()
  await act(async () => {
    leaving = signOut(client)
  })
  await waitFor(() => expect(client.requests.at(-1)?.path).toBe('/logout'))
  await act(() => settle(refusal))
  await act(() => settle())
  await act(async () => void (await leaving))
  await waitFor(() => expect(titles()[0]).toBe('Chess'))
})

test('without `optimistic` nothing is shown before the server has it', async () => {
  const { client, settle } = createSlow()
  const { result } = renderHook(
    () => ({ list: useDocuments('Game', { order: ['objectId'] }), saving: useSaveDocument('Game') }),
    wrapper(client),
  )
  await waitFor(() => expect(result.current.list.status).toBe('success'))
  const game = result.current.list.data?.[0]
  if (!game) throw new Error('no game')
  await act(async () => void result.current.saving.save(game, { title: 'Checkers' }))
  expect(result.current.list.data?.[0]?.title).toBe('Chess')
  await act(() => settle())
  await waitFor(() => expect(result.current.list.data?.[0]?.title).toBe('Checkers'))
})
