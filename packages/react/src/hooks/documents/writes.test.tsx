// @vitest-environment happy-dom
import { act, cleanup, configure, render, renderHook, waitFor } from '@testing-library/react'
import { memo, type ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import type { Client } from '../../core/client/Client.ts'
import { deleteDocument } from '../../core/documents/deleteDocuments.ts'
import { findDocuments } from '../../core/documents/findDocuments.ts'
import { invalidateDocuments } from '../../core/documents/invalidateDocuments.ts'
import { loadWriting } from '../../core/documents/loadWriting.ts'
import * as op from '../../core/documents/op.ts'
import { relationQuery } from '../../core/documents/Query.ts'
import { createDocument, saveDocument, saveDocuments } from '../../core/documents/saveDocuments.ts'
import { pointer } from '../../core/documents/values.ts'
import { createTestClient, type ScriptedResponse, type SentRequest } from '../../testClient/createTestClient.ts'
import { useDocument, useDocumentCount, useDocuments } from './useDocuments.ts'
import { useSaveDocument } from './useSaveDocument.ts'

configure({ asyncUtilTimeout: 60_000 })
afterEach(cleanup)

const wrap = (client: Client) => ({
  wrapper: ({ children }: { children: ReactNode }) => (
    <CountersignProvider client={client}>{children}</CountersignProvider>
  ),
})

const later = (milliseconds = 5) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const documents = { Game: [{ objectId: 'a', title: 'Chess', score: 0, isOpen: true }] }

/** A server with every response in a separate turn; `respond` comes first. */
function create(
  respond?: (request: SentRequest) => ScriptedResponse | undefined | Promise<ScriptedResponse | undefined>,
) {
  return createTestClient({
    documents,
    attemptLimit: 5,
    respond: async (request) => {
      await later()
      return respond?.(request)
    },
  })
}

const a = pointer('Game', 'a')
const writesOf = (client: ReturnType<typeof create>) => client.requests.filter(({ method }) => method !== 'GET')

test('H2: a save that is retried keeps its place before a later one', async () => {
  let failures = 1
  const client = create(({ method, input }) =>
    method === 'PUT' && input.score === 1 && failures-- > 0 ? { status: 503, body: { error: 'busy' } } : undefined,
  )
  await Promise.all([saveDocument(client, a, { score: 1 }), saveDocument(client, a, { score: 2 })])
  expect(writesOf(client).map(({ input }) => input.score)).toEqual([1, 1, 2])
  expect(client.server.list('Game')[0]?.score).toBe(2)
})

test('H2: a delete, operations and a batch wait for what was called before them; other documents do not', async () => {
  const client = create(async ({ input }) => {
    if (input.score === 1) await later(50)
    return undefined
  })
  client.server.save('Game', { objectId: 'b' })
  const done: string[] = []
  const note = (name: string) => () => void done.push(name)
  await Promise.all([
    saveDocument(client, a, { score: 1 }).then(note('save')),
    saveDocument(client, a, { score: op.increment(2) }).then(note('increment')),
    saveDocuments(client, [{ object: a, changes: { title: 'Go' } }]).then(note('batch')),
    deleteDocument(client, a).then(note('delete')),
    saveDocument(client, pointer('Game', 'b'), { score: 9 }).then(note('other')),
  ])
  expect(done).toEqual(['other', 'save', 'increment', 'batch', 'delete'])
  expect(client.server.list('Game').map(({ objectId }) => objectId)).toEqual(['b'])
})

test('H2: the last change counts, also if it equals an older snapshot', async () => {
  const client = create()
  const [game] = client.server.list('Game')
  if (!game) throw new Error('no game')
  await later()
  await Promise.all([saveDocument(client, game, { score: 1 }), saveDocument(client, game, { score: 0 })])
  expect(client.server.list('Game')[0]?.score).toBe(0)
  await saveDocument(client, game, { score: 5 })
  await saveDocument(client, game, { score: 0 })
  expect(client.server.list('Game')[0]?.score).toBe(0)
})

test('H2: concurrent optimistic saves never flicker back, with any readings between', async () => {
  const client = create()
  await loadWriting()
  const shown: unknown[] = []
  const { result } = renderHook(() => {
    const game = useDocument('Game', 'a')
    shown.push(game.data?.score)
    return game
  }, wrap(client))
  await waitFor(() => expect(result.current.status).toBe('success'))
  shown.length = 0
  await act(async () => {
    const saves = [1, 2, 3].map(() => saveDocument(client, a, { score: op.increment(1) }, { optimistic: true }))
    for (let n = 0; n < 12; n++) {
      await later(3)
      void result.current.refetch()
    }
    await Promise.all(saves)
    await later(20)
  })
  expect(new Set(shown)).toEqual(new Set([3]))
  expect(client.server.list('Game')[0]?.score).toBe(3)
})

test('H2: one of three that fails takes its own part away, and nothing else', async () => {
  const client = create(({ input }) =>
    input.title === 'Bad' ? { status: 400, body: { code: 142, error: 'No.' } } : undefined,
  )
  await loadWriting()
  const shown: string[] = []
  const { result } = renderHook(() => {
    const game = useDocument('Game', 'a')
    shown.push(`${game.data?.title} ${game.data?.score}`)
    return game
  }, wrap(client))
  await waitFor(() => expect(result.current.status).toBe('success'))
  shown.length = 0
  await act(async () => {
    await Promise.allSettled([
      saveDocument(client, a, { score: op.increment(1) }, { optimistic: true }),
      saveDocument(client, a, { title: 'Bad', score: op.increment(10) }, { optimistic: true }),
      saveDocument(client, a, { score: op.increment(100) }, { optimistic: true }),
    ])
    await later(30)
  })
  expect([...new Set(shown)]).toEqual(['Bad 111', 'Chess 101'])
  expect(client.internal.edits.get()).toEqual([])
})

test('H2: a document that is being made is shown in its place, can be saved and pointed to, and gets its id', async () => {
  const client = create()
  await loadWriting()
  const lists: string[] = []
  const { result } = renderHook(() => {
    const open = useDocuments('Game', { where: { isOpen: true }, order: ['-score'] })
    const closed = useDocuments('Game', { where: { isOpen: false } })
    const moves = useDocuments('Move')
    lists.push((open.data ?? []).map(({ title }) => title).join())
    return { open, closed, moves, saving: useSaveDocument('Game', { optimistic: true }) }
  }, wrap(client))
  await waitFor(() => expect(result.current.moves.status).toBe('success'))
  await waitFor(() => expect(result.current.closed.status).toBe('success'))
  lists.length = 0
  let making: Promise<unknown> = Promise.resolve()
  await act(async () => {
    making = result.current.saving.create({ title: 'Go', score: 5, isOpen: true })
  })
  const temporary = result.current.open.data?.[0]
  if (!temporary) throw new Error('nothing is shown')
  expect(temporary.title).toBe('Go')
  expect(result.current.closed.data).toEqual([])
  await act(async () => {
    const move = createDocument(client, 'Move', { game: temporary }, { optimistic: true })
    await Promise.all([making, move, saveDocument(client, temporary, { title: 'Go!' }, { optimistic: true })])
    await later(30)
  })
  const made = client.server.list('Game').find(({ title }) => title === 'Go!')
  expect(made?.objectId).not.toBe(temporary.objectId)
  expect(result.current.open.data?.map(({ objectId }) => objectId)).toEqual([made?.objectId, 'a'])
  expect(result.current.moves.data?.[0]).toMatchObject({ game: { objectId: made?.objectId } })
  expect(client.server.list('Move')[0]).toMatchObject({ game: { objectId: made?.objectId } })
  const seen = lists.filter((list, index) => list !== lists[index - 1])
  expect(seen, 'never two rows of it, never none again').toEqual(['Chess', 'Go,Chess', 'Go!,Chess'])
})

test('H2: a document that cannot be made leaves the lists again', async () => {
  const client = create(({ method }) =>
    method === 'POST' ? { status: 400, body: { code: 142, error: 'No.' } } : undefined,
  )
  await loadWriting()
  const { result } = renderHook(() => useDocuments('Game'), wrap(client))
  await waitFor(() => expect(result.current.data).toHaveLength(1))
  await act(async () => {
    const making = createDocument(client, 'Game', { title: 'Go' }, { optimistic: true })
    making.catch(() => undefined)
    await later(0)
    expect(client.internal.edits.get()).toHaveLength(1)
    await making.catch(() => undefined)
  })
  expect(result.current.data).toHaveLength(1)
  expect(client.internal.edits.get()).toEqual([])
})

test('an action that fails: `save` gives undefined, `saveAsync` rejects, and both show the error', async () => {
  const client = create(({ method }) =>
    method === 'PUT' ? { status: 400, body: { code: 142, error: 'No.' } } : undefined,
  )
  const { result } = renderHook(() => useSaveDocument('Game'), wrap(client))
  await act(async () => expect(await result.current.save(a, { score: 1 })).toBeUndefined())
  expect(result.current).toMatchObject({ status: 'error', error: { code: 142 } })
  await act(() => expect(result.current.saveAsync(a, { score: 1 })).rejects.toMatchObject({ code: 142 }))
  const made = await act(() => result.current.createAsync({ title: 'Go' }))
  expect(made.title).toBe('Go')
})

const many = Array.from({ length: 500 }, (_, n) => ({ objectId: `row${n}`, n: 0, rank: n }))
const renders = new Map<string, number>()
const note = (id: string) => renders.set(id, (renders.get(id) ?? 0) + 1)
const total = () => [...renders.values()].reduce((sum, count) => sum + count, 0)

function Row({ id }: { id: string }) {
  const { data } = useDocument('Row', id)
  note(id)
  return <p>{String(data?.n)}</p>
}

for (const optimistic of [false, true]) {
  test(`H3: 500 documents on show, one save: one request, one row rendered (optimistic: ${optimistic})`, async () => {
    const client = createTestClient({ documents: { Row: many } })
    await loadWriting()
    render(
      many.map(({ objectId }) => <Row key={objectId} id={objectId} />),
      wrap(client),
    )
    await waitFor(() => expect(document.querySelectorAll('p')[499]?.textContent).toBe('0'))
    const before = client.requests.length
    renders.clear()
    await act(async () => {
      await saveDocument(client, pointer('Row', 'row7'), { n: 1 }, { optimistic })
      await later(20)
    })
    expect(document.querySelectorAll('p')[7]?.textContent).toBe('1')
    expect(client.requests.length - before).toBe(1)
    expect([...renders.keys()]).toEqual(['row7'])
    expect(total()).toBeLessThanOrEqual(2)
  })
}

test('H3, L2: only lists and counts that the change can enter, leave or order are read again', async () => {
  const client = createTestClient({ documents: { Row: many } })
  await loadWriting()
  const Line = memo(({ row }: { row: { objectId: string; n?: unknown } }) => {
    note(row.objectId)
    return <p>{String(row.n)}</p>
  })
  let lists = 0
  function All() {
    const { data = [] } = useDocuments('Row', { order: ['rank'], limit: 500 })
    lists++
    return data.map((row) => <Line key={row.objectId} row={row} />)
  }
  function Others() {
    useDocuments('Row', { where: { n: { $gt: 5 } } })
    useDocuments('Row', { where: { n: 0, rank: { $lt: 3 } } })
    useDocuments('Row', { order: ['-n'], limit: 3 })
    useDocumentCount('Row', { where: { rank: { $lt: 9 } } })
    useDocumentCount('Row', { where: { n: 0 } })
    return null
  }
  render(
    <>
      <All />
      <Others />
    </>,
    wrap(client),
  )
  await waitFor(() => expect(document.querySelectorAll('p')).toHaveLength(500))
  await act(() => later(20))
  renders.clear()
  lists = 0
  const from = client.requests.length
  await act(async () => {
    await saveDocument(client, pointer('Row', 'row100'), { n: 1 })
    await later(20)
  })
  const asked = client.requests.slice(from).filter(({ method }) => method === 'GET')
  expect(asked.map(({ input }) => [input.where ?? {}, input.order, input.count])).toEqual([
    [{}, '-n', undefined],
    [{ n: 0 }, undefined, 1],
  ])
  expect(total()).toBe(1)
  expect(lists).toBe(1)
  expect(document.querySelectorAll('p')[100]?.textContent).toBe('1')
})

test('H3: a new document is read by the lists it may enter; a deleted one leaves without a question', async () => {
  const client = create()
  client.server.save('Game', { objectId: 'b', title: 'Go', score: 3, isOpen: false })
  await loadWriting()
  const { result } = renderHook(
    () => ({
      open: useDocuments('Game', { where: { isOpen: true } }),
      closed: useDocuments('Game', { where: { isOpen: false } }),
      count: useDocumentCount('Game', { where: { score: { $gt: 10 } } }),
    }),
    wrap(client),
  )
  await waitFor(() =>
    expect(Object.values(result.current).map(({ status }) => status)).toEqual(Array(3).fill('success')),
  )
  let from = client.requests.length
  await act(async () => {
    await createDocument(client, 'Game', { title: 'Ludo', isOpen: true, score: 1 })
    await later(30)
  })
  expect(result.current.open.data).toHaveLength(2)
  expect(client.requests.slice(from).map(({ method, input }) => [method, input.where])).toEqual([
    ['POST', undefined],
    ['GET', { isOpen: true }],
  ])
  from = client.requests.length
  await act(async () => {
    await deleteDocument(client, pointer('Game', 'b'))
    await later(30)
  })
  expect(result.current.closed.data).toEqual([])
  expect(client.requests.slice(from).map(({ method }) => method)).toEqual(['DELETE'])
})

test('H3: a response that was in flight during a save does not revert it', async () => {
  let hold: Promise<unknown> = Promise.resolve()
  const client = createTestClient({ documents })
  const { fetch } = client.internal.options
  // Read before the save, delivered after it.
  client.internal.options.fetch = async (...given) => {
    const response = await (fetch as typeof globalThis.fetch)(...given)
    if (given[1]?.method === 'GET') await hold
    return response
  }
  await loadWriting()
  const { result } = renderHook(() => useDocument('Game', 'a'), wrap(client))
  await waitFor(() => expect(result.current.status).toBe('success'))
  let release: (value?: unknown) => void = () => undefined
  hold = new Promise((resolve) => {
    release = resolve
  })
  await act(async () => {
    const reading = result.current.refetch()
    await later()
    await saveDocument(client, a, { score: 4 })
    release()
    await reading
  })
  expect(result.current.data?.score).toBe(4)
})

test('H3: invalidateDocuments with an id reads again what shows that document, and nothing else', async () => {
  const client = create()
  client.server.save('Game', { objectId: 'b', score: 3, isOpen: false })
  const { result } = renderHook(
    () => [useDocument('Game', 'a'), useDocument('Game', 'b'), useDocuments('Game', { where: { isOpen: true } })],
    wrap(client),
  )
  await waitFor(() => expect(result.current.map(({ status }) => status)).toEqual(Array(3).fill('success')))
  const from = client.requests.length
  await act(async () => {
    invalidateDocuments(client, 'Game', 'b')
    await later(20)
  })
  expect(client.requests.slice(from).map(({ path }) => path)).toEqual(['/classes/Game/b'])
})

test('L6: the test client knows relations', async () => {
  const client = create()
  client.server.save('Move', { objectId: 'm1' })
  client.server.save('Move', { objectId: 'm2' })
  const both = [pointer('Move', 'm1'), pointer('Move', 'm2')]
  const game = await saveDocument(client, a, { moves: op.addToRelation(...both) })
  const ids = async () => (await findDocuments(client, relationQuery(game, 'moves'))).map(({ objectId }) => objectId)
  expect(await ids()).toEqual(['m1', 'm2'])
  await saveDocument(client, a, { moves: op.removeFromRelation(pointer('Move', 'm1')) })
  expect(await ids()).toEqual(['m2'])
})
