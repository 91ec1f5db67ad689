import { createCollection, useLiveQuery } from '@tanstack/react-db'
import { renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { connectTo } from '../../testing/connectTo.ts'
import { createOfflineDevice, openOfflinePage } from '../../testing/openOfflineDevice.ts'
import { serveTests } from '../../testing/serveTests.ts'
import { setUpPage } from '../../testing/setUpPage.ts'
import { defineQuery } from '../documents/Query.ts'
import { offlineOf } from '../offline/offline.ts'
import { signUp } from '../session/signUp.ts'
import { documentCollectionOptions } from './collectionOptions.ts'

setUpPage()
const server = serveTests({ offline: { classes: ['Note'] }, allowClientClassCreation: true })
afterEach(() => vi.unstubAllGlobals())

type Row = { readonly objectId: string; readonly title?: string; readonly n?: number }
const password = 'correct horse battery'
let counter = 0

async function openCollection() {
  const { client } = await connectTo(server)
  await signUp(client, { username: `db${++counter}`, password })
  const query = defineQuery('Note', { where: { of: counter }, order: ['n'] }) as never
  const notes = createCollection(documentCollectionOptions<string, Row & { of?: number }>(client, { query }))
  await notes.preload()
  return { client, notes, of: counter }
}

test('a collection follows documents, also those of others, in the order of a live query', async () => {
  const { notes, of } = await openCollection()
  const { result } = renderHook(() =>
    useLiveQuery((from) => from.from({ note: notes }).orderBy(({ note }) => note.n, 'desc')),
  )
  const made = await server.asMaster('POST', '/classes/Note', { of, n: 1, title: 'one' })
  await server.asMaster('POST', '/classes/Note', { of, n: 2, title: 'two' })
  const titles = () => (result.current.data as Row[]).map(({ title }) => title)
  await waitFor(() => expect(titles()).toEqual(['two', 'one']))
  await server.asMaster('PUT', `/classes/Note/${made.objectId}`, { n: 3 })
  await waitFor(() => expect(titles()).toEqual(['one', 'two']))
  await server.asMaster('DELETE', `/classes/Note/${made.objectId}`)
  await waitFor(() => expect(titles()).toEqual(['two']))
})

test('changes are shown at once, saved, and rolled back if the server refuses them', async () => {
  const { notes, of } = await openCollection()
  const made = notes.insert({ objectId: 'temporary', of, n: 1, title: 'mine' })
  expect(notes.get('temporary')).toMatchObject({ title: 'mine' })
  await made.isPersisted.promise
  const [objectId = '', ...others] = notes.keys()
  expect([objectId, others]).toEqual([expect.stringMatching(/^\w{10}$/), []])
  expect(await server.asMaster('GET', `/classes/Note/${objectId}`)).toMatchObject({ title: 'mine' })
  expect(notes.get(objectId)).toMatchObject({ title: 'mine', createdAt: expect.any(Date) })

  await notes.update(objectId, (draft) => {
    Object.assign(draft, { title: 'changed' })
  }).isPersisted.promise
  expect(notes.get(objectId)).toMatchObject({ title: 'changed', n: 1 })
  expect(await server.asMaster('GET', `/classes/Note/${objectId}`)).toMatchObject({ title: 'changed', n: 1 })

  const wrong = notes.update(objectId, (draft) => {
    Object.assign(draft, { n: 'no number' })
  })
  expect(notes.get(objectId)).toMatchObject({ n: 'no number' })
  await expect(wrong.isPersisted.promise).rejects.toMatchObject({ code: 111 })
  expect(notes.get(objectId)).toMatchObject({ n: 1 })

  await notes.delete(objectId).isPersisted.promise
  expect(notes.has(objectId)).toBe(false)
  expect(await server.asMaster('GET', `/classes/Note/${objectId}`)).toMatchObject({ code: 101 })
})

test('with a store on the device, rows open and change without a network', async () => {
  const device = await createOfflineDevice(server)
  const page = await openOfflinePage(server, device, { classes: ['Note'] })
  const user = await signUp(page.client, { username: `db${++counter}`, password })
  const ACL = { [String(user?.objectId)]: { read: true, write: true } }
  const query = defineQuery('Note', { where: { of: counter } }) as never
  const open = () =>
    createCollection(documentCollectionOptions<string, Row & { of?: number; ACL?: object }>(page.client, { query }))
  const notes = open()
  await notes.preload()
  device.cut()
  await notes.insert({ objectId: 'temporary', of: counter, title: 'offline', ACL }).isPersisted.promise
  const [objectId = ''] = notes.keys()
  expect(notes.get(objectId)).toMatchObject({ title: 'offline', objectId: expect.stringMatching(/^\w{26}$/) })
  const again = open()
  await again.preload()
  expect(again.get(objectId)).toMatchObject({ title: 'offline' })
  device.join()
  await vi.waitFor(() => expect(offlineOf(page.client).pending.get().pending).toEqual([]), { timeout: 60_000 })
  expect(await server.asMaster('GET', `/classes/Note/${objectId}`)).toMatchObject({ title: 'offline' })
  page.kill()
  device.remove()
})
