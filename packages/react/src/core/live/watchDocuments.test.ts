// @vitest-environment node
import { expect, test, vi } from 'vitest'
import { createTestClient } from '../../testClient/createTestClient.ts'
import { createDocument, saveDocument } from '../documents/saveDocuments.ts'
import { watchDocument, watchDocuments } from './watchDocuments.ts'

const documents = { Game: [{ objectId: 'a', title: 'Chess', n: 1 }] }
const limits = { timeout: 60_000 }

test('a store of documents reads while somebody is subscribed, and follows saves', async () => {
  const client = createTestClient({ documents })
  const games = watchDocuments(client, 'Game', { order: ['n'] })
  expect(games.get()).toMatchObject({ status: 'pending' })
  expect(client.requests).toHaveLength(0)
  const seen: string[] = []
  const stop = games.subscribe(() => seen.push((games.get().data ?? []).map(({ title }) => title).join()))
  const second = games.subscribe(() => undefined)
  await vi.waitFor(() => expect(games.get().data).toHaveLength(1), limits)
  expect(games.getSnapshot()).toBe(games.get())
  await createDocument(client, 'Game', { title: 'Go', n: 2 })
  await vi.waitFor(() => expect(seen.at(-1)).toBe('Chess,Go'), limits)
  expect(client.requests.filter(({ method }) => method === 'GET')).toHaveLength(2)
  stop()
  second()
  await new Promise((resolve) => setTimeout(resolve, 10))
  await createDocument(client, 'Game', { title: 'Bridge', n: 3 })
  expect(client.requests.filter(({ method }) => method === 'GET')).toHaveLength(2)
  await games.refetch()
  expect(games.get().data).toHaveLength(3)
})

test('a live store follows changes of others', async () => {
  const client = createTestClient({ documents })
  const games = watchDocuments(client, 'Game', { live: true, where: { n: { $gt: 0 } }, order: ['n'] })
  const stop = games.subscribe(() => undefined)
  const titles = () => games.get().data?.map(({ title }) => title)
  await vi.waitFor(() => expect(titles()).toEqual(['Chess']), limits)
  client.server.save('Game', { objectId: 'b', title: 'Go', n: 2 })
  await vi.waitFor(() => expect(titles()).toEqual(['Chess', 'Go']), limits)
  client.server.save('Game', { objectId: 'a', n: -1 })
  await vi.waitFor(() => expect(titles()).toEqual(['Go']), limits)
  client.server.delete('Game', 'b')
  await vi.waitFor(() => expect(titles()).toEqual([]), limits)
  stop()
})

test('one document', async () => {
  const client = createTestClient({ documents })
  const game = watchDocument(client, 'Game', 'a')
  const stop = game.subscribe(() => undefined)
  await vi.waitFor(() => expect(game.get().data?.title).toBe('Chess'), limits)
  const { data } = game.get()
  if (data) await saveDocument(client, data, { title: 'Checkers' })
  await vi.waitFor(() => expect(game.get().data?.title).toBe('Checkers'), limits)
  stop()
})
