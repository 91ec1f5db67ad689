import { act, render, renderHook, screen, waitFor } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import type { Client } from '../../core/client/Client.ts'
import { increment } from '../../core/documents/op.ts'
import { defineQuery } from '../../core/documents/Query.ts'
import { createDocument, saveDocuments } from '../../core/documents/saveDocuments.ts'
import { signInWithPassword } from '../../core/session/signInWithPassword.ts'
import { signOut } from '../../core/session/signOut.ts'
import { signUp } from '../../core/session/signUp.ts'
import { createClient } from '../../core/setup/createClient.ts'
import { initialize } from '../../core/setup/initialize.ts'
import { connectTo } from '../../testing/connectTo.ts'
import { inside } from '../../testing/inside.tsx'
import { serveTests } from '../../testing/serveTests.ts'
import { setUpPage } from '../../testing/setUpPage.ts'
import { useDocument, useDocumentCount, useDocuments } from './useDocuments.ts'
import { useDeleteDocument, useSaveDocument } from './useSaveDocument.ts'

setUpPage()
const server = serveTests()

let counter = 0
const newName = () => `Thing${++counter}`

const connect = () => connectTo(server, { throwOnError: true })

/** A new class with so many objects, `n` counting up. */
async function fill(client: Client, amount: number, fields: object = {}) {
  const className = newName()
  const inputs = Array.from({ length: amount }, (_, n) => ({ className, fields: { n, ...fields } }))
  const outcomes = (await saveDocuments(client, inputs)) ?? []
  return { className, objects: outcomes.flatMap((outcome) => (outcome.status === 'success' ? [outcome.data] : [])) }
}

function List({ name, where }: { name: string; where: { [field: string]: unknown } }) {
  const found = useDocuments(name, { where, order: ['n'] })
  return <p>{found.status === 'success' ? `found ${found.data.map(({ n }) => n).join()}` : found.status}</p>
}

test('components with the same query share one reading, in any spelling, also without a session', async () => {
  const { client, wire } = await connect()
  const { className } = await fill(client, 3)
  wire.calls.length = 0
  render(
    <>
      <List name={className} where={{ n: { $gte: 1, $lt: 9 }, absent: null }} />
      <List name={className} where={{ absent: null, n: { $lt: 9, $gte: 1 } }} />
      <List name={className} where={{ n: 2 }} />
    </>,
    inside({ client }),
  )
  expect(await screen.findAllByText('found 1,2')).toHaveLength(2)
  await screen.findByText('found 2')
  expect(wire.calls).toHaveLength(2)
})

test('a save updates visible data without a flash, and unchanged parts stay the same object', async () => {
  const { client } = await connect()
  const { className, objects } = await fill(client, 2)
  const seen: string[] = []
  const { result } = renderHook(() => {
    const found = useDocuments(className, { order: ['n'] })
    const amount = useDocumentCount(className)
    seen.push(found.status)
    return { found, amount, ...useSaveDocument(className), ...useDeleteDocument() }
  }, inside({ client }))
  const data = () => (result.current.found.status === 'success' ? result.current.found.data : [])
  await waitFor(() => expect(data()).toHaveLength(2))
  const [first, second] = data()
  await act(() => result.current.create({ n: 5 }))
  await waitFor(() => expect(data().map(({ n }) => n)).toEqual([0, 1, 5]))
  expect(data()[0]).toBe(first)
  await waitFor(() => expect(result.current.amount).toMatchObject({ status: 'success', data: 3 }))
  if (!second) throw new Error('no second')
  const saved = await act(() => result.current.save(second, { n: increment(1) }))
  expect(saved).toMatchObject({ objectId: second.objectId, n: 2 })
  await waitFor(() => expect(data().map(({ n }) => n)).toEqual([0, 2, 5]))
  expect(data()[0]).toBe(first)
  await act(() => result.current.deleteDocument(objects[0] ?? second))
  await waitFor(() => expect(data().map(({ n }) => n)).toEqual([2, 5]))
  expect(seen.lastIndexOf('pending')).toBeLessThan(seen.indexOf('success'))
})

test('an object by its id: nothing without one, read again after a save, an error once it is gone', async () => {
  const { client, wire } = await connect()
  const { className, objects } = await fill(client, 1)
  wire.calls.length = 0
  const { result, rerender } = renderHook(
    ({ id }: { id: string | undefined }) => ({
      one: useDocument(className, id),
      ...useSaveDocument(className),
      ...useDeleteDocument(),
    }),
    { ...inside({ client }), initialProps: { id: undefined as string | undefined } },
  )
  expect(result.current.one.status).toBe('pending')
  expect(wire.calls).toHaveLength(0)
  const [object] = objects
  if (!object) throw new Error('no object')
  rerender({ id: object.objectId })
  await waitFor(() => expect(result.current.one).toMatchObject({ status: 'success', data: { n: 0 } }))
  await act(() => result.current.save(object, { n: increment(3) }))
  await waitFor(() => expect(result.current.one).toMatchObject({ data: { n: 3 } }))
  await act(() => result.current.deleteDocument(object))
  await waitFor(() => expect(result.current.one).toMatchObject({ status: 'error', error: { code: 101 } }))
})

test('updates included documents, not those only pointed to', async () => {
  const { client, wire } = await connect()
  const { className: player, objects } = await fill(client, 1)
  const { className: game } = await fill(client, 1, { owner: objects[0] })
  const { result } = renderHook(
    () => ({
      whole: useDocuments(game, { include: ['owner'] }),
      plain: useDocuments(game),
      inner: useDocuments(game, { where: { owner: { $inQuery: { className: player, where: { n: 7 } } } } }),
      ...useSaveDocument(player),
    }),
    inside({ client }),
  )
  await waitFor(() => {
    for (const one of ['whole', 'plain', 'inner'] as const) expect(result.current[one].status).toBe('success')
  })
  expect(result.current.inner).toMatchObject({ data: [] })
  wire.calls.length = 0
  await act(() => objects[0] && result.current.save(objects[0], { n: 7 }))
  await waitFor(() => expect(result.current.whole).toMatchObject({ data: [{ owner: { n: 7 } }] }))
  await waitFor(() => expect(result.current.inner).toMatchObject({ data: [{ n: 0 }] }))
  // Included documents are updated from the save's response; only the condition is queried again.
  expect(wire.calls.filter(({ path }) => path === `/classes/${game}`)).toHaveLength(1)
})

test('never shows another user’s data: not on screen, not as the former page, not after a remount', async () => {
  const { client, wire } = await connect()
  const account = { username: newName(), password: 'correct horse battery' }
  const user = await signUp(client, account)
  const className = newName()
  await createDocument(client, className, { n: 'secret', ACL: { [user?.objectId ?? '']: { read: true } } })
  await createDocument(client, className, { n: 'public', ACL: { '*': { read: true } } })
  let gate: Promise<void> = Promise.resolve()
  client.internal.options.fetch = async (input, init) => {
    const response = await wire.fetch(input, init)
    if (String(input).includes('/classes/')) await gate
    return response
  }
  const leaks: unknown[] = []
  const useNotes = ({ limit }: { limit: number }) => {
    const found = useDocuments(className, { order: ['n'], limit, keepPrevious: true })
    const session = client.session.get()
    const isOwner = 'user' in session && session.user?.objectId === user?.objectId
    if (!isOwner && JSON.stringify(found).includes('secret')) leaks.push(found)
    return found
  }
  const both = { data: [{ n: 'public' }, { n: 'secret' }] }
  const { result, unmount, rerender } = renderHook(useNotes, { ...inside({ client }), initialProps: { limit: 5 } })
  await waitFor(() => expect(result.current).toMatchObject(both))
  let open = () => {}
  gate = new Promise((resolve) => {
    open = resolve
  })
  rerender({ limit: 4 })
  expect(result.current).toMatchObject({ ...both, isPlaceholderData: true })
  await act(() => signOut(client))
  expect(JSON.stringify(result.current)).not.toContain('secret')
  await act(async () => open())
  await waitFor(() => expect(result.current).toMatchObject({ data: [{ n: 'public' }], isFetching: false }))
  await act(() => signInWithPassword(client, account))
  await waitFor(() => expect(result.current).toMatchObject(both))
  unmount()
  await new Promise((resolve) => setTimeout(resolve, 20))
  await signOut(client)
  const again = renderHook(useNotes, { ...inside({ client }), initialProps: { limit: 4 } })
  await waitFor(() => expect(again.result.current).toMatchObject({ data: [{ n: 'public' }] }))
  expect(again.result.current).not.toMatchObject(both)
  expect(leaks).toEqual([])
})

test('while the next page is read the former stays on show, if that is wanted', async () => {
  const { client, wire } = await connect()
  const { className } = await fill(client, 4)
  const { result, rerender } = renderHook(
    ({ skip }) => ({
      kept: useDocuments(defineQuery(className, { order: ['n'], limit: 2, skip }), { keepPrevious: true }),
      bare: useDocuments(className, { order: ['n'], limit: 2, skip }),
    }),
    { ...inside({ client }), initialProps: { skip: 0 } },
  )
  await waitFor(() => expect(result.current.kept).toMatchObject({ status: 'success', isPlaceholderData: false }))
  const release = wire.hold()
  rerender({ skip: 2 })
  expect(result.current.bare.status).toBe('pending')
  expect(result.current.kept).toMatchObject({ isPlaceholderData: true, isFetching: true, data: [{ n: 0 }, { n: 1 }] })
  await act(async () => release())
  await waitFor(() =>
    expect(result.current.kept).toMatchObject({ isPlaceholderData: false, data: [{ n: 2 }, { n: 3 }] }),
  )
})

test('a late response does not replace a later one', async () => {
  const { client, wire } = await connect()
  const { className } = await fill(client, 3)
  const { result, rerender } = renderHook(({ n }) => useDocuments(className, { where: { n } }), {
    ...inside({ client }),
    initialProps: { n: 0 },
  })
  const release = wire.hold()
  rerender({ n: 1 })
  rerender({ n: 2 })
  await act(async () => release())
  await waitFor(() => expect(result.current).toMatchObject({ status: 'success', data: [{ n: 2 }] }))
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
  expect(result.current).toMatchObject({ data: [{ n: 2 }] })
})

test('a query that is not enabled reads nothing until it is asked to', async () => {
  const { client, wire } = await connect()
  const { className } = await fill(client, 1)
  wire.calls.length = 0
  const { result } = renderHook(() => useDocuments(className, { enabled: false }), inside({ client }))
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)))
  expect(result.current.status).toBe('pending')
  expect(wire.calls).toHaveLength(0)
  await act(() => result.current.refetch())
  expect(result.current).toMatchObject({ status: 'success', data: [{ n: 0 }] })
  expect(wire.calls).toHaveLength(1)
})

test('the last one to leave cancels the reading, and coming back shows what is known while reading again', async () => {
  const { client } = await connect()
  const { className } = await fill(client, 1)
  const first = renderHook(() => useDocuments(className), inside({ client }))
  await waitFor(() => expect(first.result.current.status).toBe('success'))
  first.unmount()
  await new Promise((resolve) => setTimeout(resolve, 20))
  const signals: (AbortSignal | null | undefined)[] = []
  client.internal.options.fetch = (_, init) => {
    signals.push(init?.signal)
    return new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
  }
  const second = renderHook(() => useDocuments(className), inside({ client }))
  expect(second.result.current).toMatchObject({ status: 'success', data: [{ n: 0 }], isFetching: true })
  expect(signals).toHaveLength(1)
  second.unmount()
  await waitFor(() => expect(signals[0]?.aborted).toBe(true))
})

test('an invalid query is an error, and is not repeated', async () => {
  const { client, wire } = await connect()
  wire.calls.length = 0
  let renders = 0
  const { result } = renderHook(() => {
    renders++
    return useDocuments('Whatever', { where: { n: Number.NaN } })
  }, inside({ client }))
  await waitFor(() => expect(result.current).toMatchObject({ status: 'error', error: { name: 'ValidationError' } }))
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
  expect(renders).toBeLessThan(10)
  expect(wire.calls).toHaveLength(0)
})

test('a reading waits for the initialization and shows when that fails', async () => {
  const { appId, serverUrl } = server
  const client = createClient({ appId, serverUrl, session: 'storage' })
  const { result } = renderHook(() => useDocuments('Nothing'), inside({ client }))
  expect(result.current.status).toBe('pending')
  await act(() => initialize(client))
  await waitFor(() => expect(result.current).toMatchObject({ status: 'success', data: [] }))
  const lost = createClient()
  const other = renderHook(() => useDocuments('Nothing'), inside({ client: lost }))
  await act(() => initialize(lost))
  expect(other.result.current).toMatchObject({ status: 'error', error: { code: 109 } })
})

test('on a server nothing is read', () => {
  const { appId, serverUrl } = server
  const html = renderToString(
    <CountersignProvider appId={appId} serverUrl={serverUrl} initializeOnMount>
      <List name="Nothing" where={{}} />
    </CountersignProvider>,
  )
  expect(html).toBe('<p>pending</p>')
})
