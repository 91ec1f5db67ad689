// @vitest-environment node
import { inspect } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket as NodeSocket } from 'ws'
import {
  createOfflineDevice,
  type OfflineDevice,
  type OfflinePage,
  openOfflinePage,
} from '../../testing/openOfflineDevice.ts'
import { serveTests } from '../../testing/serveTests.ts'
import type { Client } from '../client/Client.ts'
import { increment } from '../documents/op.ts'
import { defineQuery } from '../documents/Query.ts'
import { createDocument, saveDocument } from '../documents/saveDocuments.ts'
import { pointer } from '../documents/values.ts'
import { documentsReading } from '../live/documentReadings.ts'
import { defineAccountReading, defineSharedReading } from '../readings/defineReading.ts'
import { request } from '../session/request.ts'
import { signInWithPassword } from '../session/signInWithPassword.ts'
import { signOut } from '../session/signOut.ts'
import { signUp } from '../session/signUp.ts'
import type { StoredFile } from '../values/Document.ts'
import { createUlidAfter } from './createIds.ts'
import { type OfflineOptions, offlineOf } from './offline.ts'
import { queueFunction, queueUpload } from './queueing.ts'

const functions = `
  import { defineFunction } from 'countersign'
  export const vote = defineFunction({
    handle: ({ user, input, masterObjects }) => masterObjects.create('Vote', { by: user.objectId, movie: input.movie }),
  })
`

const server = serveTests({ offline: { classes: ['Note'] }, allowClientClassCreation: true }, { 'main.mjs': functions })
const password = 'correct horse battery'
const devices: OfflineDevice[] = []
const pages: OfflinePage[] = []

beforeEach(() => {
  vi.stubGlobal('WebSocket', NodeSocket)
  vi.stubGlobal('navigator', { onLine: true })
  // In this process, the channels of killed pages would still respond.
  vi.stubGlobal('BroadcastChannel', undefined)
})
afterEach(() => {
  for (const page of pages.splice(0)) page.kill()
  for (const device of devices.splice(0)) device.remove()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function createDevice() {
  const device = await createOfflineDevice(server)
  devices.push(device)
  return device
}

const options: OfflineOptions = { classes: ['Note'], functions: ['vote'], readings: ['listSessions', 'sums'] }

async function open(device: OfflineDevice, more: Partial<OfflineOptions> = {}) {
  const page = await openOfflinePage(server, device, { ...options, ...more })
  pages.push(page)
  return page
}

let counter = 0
async function openUser(more: Partial<OfflineOptions> = {}) {
  const device = await createDevice()
  const page = await open(device, more)
  const username = `device${++counter}`
  const user = await signUp(page.client, { username, password })
  const id = String(user?.objectId)
  return { device, page, username, id, ACL: { [id]: { read: true, write: true } } }
}

const waiting = { timeout: 60_000, interval: 20 }
const read = (client: Client, where = {}) =>
  documentsReading(client, defineQuery('Note', { where, order: ['createdAt'] })).peek.get()
const list = (client: Client, where = {}) =>
  (read(client, where).data ?? []) as { readonly objectId: string; readonly [field: string]: unknown }[]
const untilCurrent = (client: Client) =>
  vi.waitFor(() => expect(offlineOf(client).pending.get().isCurrent).toBe(true), waiting)
const untilSent = (client: Client) =>
  vi.waitFor(() => expect(offlineOf(client).pending.get().pending).toEqual([]), waiting)
const rowsOf = async (className: string, where: object) => {
  const { results } = await server.asMaster(
    'GET',
    `/classes/${className}?limit=1000&where=${encodeURIComponent(JSON.stringify(where))}`,
  )
  return results as { objectId: string; [field: string]: unknown }[]
}
const onDisk = async (device: OfflineDevice) => inspect(await device.store.list('', '\uffff'), { depth: 20 })
const day = 86_400_000

test('a clock that is set back between two writes does not change their order', async () => {
  const { device, page, id, ACL } = await openUser()
  await untilCurrent(page.client)
  device.cut()
  const note = await createDocument(page.client, 'Note', { owner: id, n: 0, ACL })
  page.kill()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * day })
  const next = await open(device)
  await vi.waitFor(() => expect(list(next.client)).toHaveLength(1), waiting)
  await saveDocument(next.client, pointer('Note', note.objectId), { n: increment(1) })
  expect(list(next.client)[0]).toMatchObject({ n: 1 })
  device.join()
  await untilSent(next.client)
  expect(offlineOf(next.client).pending.get().failed).toEqual([])
  expect(await rowsOf('Note', { owner: id })).toEqual([expect.objectContaining({ objectId: note.objectId, n: 1 })])
})

test('keys of later writes are later, whatever the clock says', () => {
  const keys = [createUlidAfter(undefined)]
  for (const ahead of [0, 5, -3, 40, -40, 0]) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ahead * day })
    keys.push(createUlidAfter(keys.at(-1)))
  }
  expect(keys.toSorted()).toEqual(keys)
  expect(new Set(keys).size).toBe(keys.length)
})

test.each([
  ['ahead', 40],
  ['behind', -40],
])('a clock 40 days %s: a create is made once, with the id of the server', async (_, ahead) => {
  const { device, page, id, ACL } = await openUser()
  await untilCurrent(page.client)
  device.cut()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ahead * day })
  const note = await createDocument(page.client, 'Note', { owner: id, n: 0, ACL })
  await saveDocument(page.client, note, { n: increment(1) })
  page.loseResponses = 2
  device.join()
  await untilSent(page.client)
  expect(offlineOf(page.client).pending.get().failed).toEqual([])
  const rows = await rowsOf('Note', { owner: id })
  expect(rows).toEqual([expect.objectContaining({ n: 1 })])
  await vi.waitFor(
    () => expect(list(page.client).map(({ objectId }) => objectId)).toEqual([rows[0]?.objectId]),
    waiting,
  )
})

test('a queue is not resumed by another account, and nothing of it stays', async () => {
  const { device, page, id, ACL } = await openUser()
  await untilCurrent(page.client)
  device.cut()
  await createDocument(page.client, 'Note', { owner: id, text: `only of ${id}`, ACL })
  page.kill()
  device.join()
  const other = await openUser()
  // The session of this browser is another one now, without a sign-out that this page has seen.
  const [key = ''] = [...Object.keys(Object(device.storage)), `Countersign/${server.appId}/session`].slice(-1)
  device.storage.removeItem(key)
  const next = await open(device)
  await signInWithPassword(next.client, { username: other.username, password })
  await untilCurrent(next.client)
  expect(next.sent.filter(({ path }) => path.startsWith('/classes'))).toEqual([])
  expect(offlineOf(next.client).pending.get()).toMatchObject({ pending: [], failed: [] })
  expect(await onDisk(device)).not.toContain(id)
  expect(await rowsOf('Note', { owner: id })).toEqual([])
})

test('a role is revoked while writes are queued: they are reported, and its rows do not come back', async () => {
  const { device, page, id } = await openUser()
  const memberOf = (__op: string) => ({
    users: { __op, objects: [{ __type: 'Pointer', className: '_User', objectId: id }] },
  })
  const role = await server.asMaster('POST', '/roles', { name: `crew${id}`, ACL: {}, ...memberOf('AddRelation') })
  const ACL = { [`role:crew${id}`]: { read: true, write: true } }
  const made = await server.asMaster('POST', '/classes/Note', { plan: id, n: 0, ACL })
  await vi.waitFor(() => expect(list(page.client)).toHaveLength(1), waiting)
  device.cut()
  await saveDocument(page.client, pointer('Note', String(made.objectId)), { n: increment(1) })
  await saveDocument(page.client, pointer('Note', String(made.objectId)), { text: 'later' })
  await server.asMaster('PUT', `/roles/${role.objectId}`, memberOf('RemoveRelation'))
  device.join()
  await untilSent(page.client)
  const { failed } = offlineOf(page.client).pending.get()
  expect(failed.map(({ error, failedWith }) => error?.code ?? failedWith)).toEqual([101, failed[0]?.key])
  await untilCurrent(page.client)
  expect(list(page.client)).toEqual([])
  await offlineOf(page.client).discard(String(failed[0]?.key))
  expect(offlineOf(page.client).pending.get().failed).toEqual([])
  expect(list(page.client)).toEqual([])
  expect(await rowsOf('Note', { plan: id })).toEqual([expect.objectContaining({ n: 0 })])
})

test('the response to a create that comes after the document is gone does not bring it back', async () => {
  const { device, page, id, ACL } = await openUser()
  await untilCurrent(page.client)
  page.loseResponses = 1_000
  const note = await createDocument(page.client, 'Note', { owner: id, ACL })
  await vi.waitFor(async () => expect(await rowsOf('Note', { owner: id })).toHaveLength(1), waiting)
  page.kill()
  device.cut()
  await server.asMaster('DELETE', `/classes/Note/${note.objectId}`)
  // No event says so: the position in the log is lost, so everything is read again.
  const found = await device.store.list('', '\uffff')
  await device.store.write(found.flatMap(([key]) => (key.endsWith('class/Note') ? [[key, undefined]] : [])))
  const next = await open(device)
  next.loseResponses = 1_000
  device.join()
  await untilCurrent(next.client)
  next.loseResponses = 0
  await untilSent(next.client)
  expect(offlineOf(next.client).pending.get().failed).toEqual([])
  expect(list(next.client)).toEqual([])
  expect(await rowsOf('Note', { owner: id })).toEqual([])
})

test('the same where the server gives the ids, and an event said that the document is gone', async () => {
  const { page, id, ACL } = await openUser({ classes: ['Vote'] })
  await untilCurrent(page.client)
  const votes = () => documentsReading(page.client, defineQuery('Vote', {})).peek.get().data as { objectId: string }[]
  await createDocument(page.client, 'Vote', { by: id, movie: 'Alien', ACL })
  await untilSent(page.client)
  const [kept] = await rowsOf('Vote', { by: id })
  page.loseResponses = 1_000
  await createDocument(page.client, 'Vote', { by: id, movie: 'Brazil', ACL })
  const brazil = { by: id, movie: 'Brazil' }
  await vi.waitFor(async () => expect(await rowsOf('Vote', brazil)).toHaveLength(1), waiting)
  // Both that of the server and the one that still waits for its id.
  await vi.waitFor(() => expect(votes()).toHaveLength(3), waiting)
  const [gone] = await rowsOf('Vote', brazil)
  await server.asMaster('DELETE', `/classes/Vote/${gone?.objectId}`)
  await vi.waitFor(() => expect(votes()).toHaveLength(2), waiting)
  page.loseResponses = 0
  await untilSent(page.client)
  expect(offlineOf(page.client).pending.get().failed).toEqual([])
  expect(votes().map(({ objectId }) => objectId)).toEqual([kept?.objectId])
})

test('a write that is discarded while it is being sent stays discarded', async () => {
  const { device, page, id, ACL } = await openUser()
  await untilCurrent(page.client)
  const note = await createDocument(page.client, 'Note', { owner: id, n: 0, ACL })
  await untilSent(page.client)
  device.cut()
  await saveDocument(page.client, pointer('Note', note.objectId), { n: 'no number' })
  const { pending, discard } = offlineOf(page.client)
  const [waits] = pending.get().pending
  const discarded = new Promise<void>((resolve) => {
    const stop = pending.subscribe(() => {
      if (!pending.get().pending[0]?.isSent) return
      stop()
      resolve(discard(String(waits?.key)))
    })
  })
  device.join()
  await discarded
  await untilSent(page.client)
  // A later write has gone through the queue, so nothing of the first one is on its way.
  await saveDocument(page.client, pointer('Note', note.objectId), { n: 1 })
  await untilSent(page.client)
  expect(offlineOf(page.client).pending.get()).toMatchObject({ pending: [], failed: [] })
  expect(await onDisk(device)).not.toContain(String(waits?.requestId))
})

test('another tab has changed the account: nothing is sent until this tab knows it', async () => {
  const { device, page, id, ACL } = await openUser()
  const other = await openUser()
  await untilCurrent(page.client)
  device.cut()
  await createDocument(page.client, 'Note', { owner: id, ACL })
  // As the other tab stores it; no event comes in this process.
  const key = `Countersign/${server.appId}/session`
  const own = String(device.storage.getItem(key))
  device.storage.setItem(key, String(other.device.storage.getItem(key)))
  device.join()
  const before = page.sent.length
  await untilCurrent(page.client)
  await vi.waitFor(() => expect(offlineOf(page.client).pending.get().pending[0]?.isSent).toBe(true), waiting)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(page.sent.slice(before)).toEqual([])
  expect(await rowsOf('Note', { owner: id })).toEqual([])
  device.storage.setItem(key, own)
  await untilSent(page.client)
  expect(await rowsOf('Note', { owner: id })).toHaveLength(1)
})

test('a slow write of a user who has signed out is gone, too', async () => {
  const { device, page, id, ACL } = await openUser({ confirmLoss: () => true })
  await untilCurrent(page.client)
  const { write } = device.store
  let release = () => {}
  const isHeld = new Promise<void>((resolve) => {
    release = resolve
  })
  page.kill()
  let held = 0
  Object.assign(device.store, {
    write: async (changes: Parameters<typeof write>[0]) => {
      if (changes.some(([key]) => key.includes('write/'))) {
        held++
        await isHeld
      }
      return write(changes)
    },
  })
  const next = await open(device, { confirmLoss: () => true })
  await untilCurrent(next.client)
  void createDocument(next.client, 'Note', { owner: id, ACL }).catch(() => undefined)
  await vi.waitFor(() => expect(held).toBe(1), waiting)
  const leaving = signOut(next.client)
  await vi.waitFor(() => expect(next.client.session.get().status).toBe('unauthenticated'), waiting)
  release()
  await leaving
  expect(await onDisk(device)).not.toContain(id)
})

test('the account changes while the queue is sent: nothing is sent as the other user, or stays on the device', async () => {
  const lost: number[] = []
  const { device, page, id, ACL } = await openUser({
    confirmLoss: () => true,
    onLoss: (writes) => lost.push(writes.length),
  })
  const other = await openUser()
  await untilCurrent(page.client)
  device.cut()
  for (let n = 0; n < 30; n++) await createDocument(page.client, 'Note', { owner: id, n, ACL })
  device.join()
  await vi.waitFor(async () => expect((await rowsOf('Note', { owner: id })).length).toBeGreaterThan(3), waiting)
  await signOut(page.client)
  await signInWithPassword(page.client, { username: other.username, password })
  await untilCurrent(page.client)
  await createDocument(page.client, 'Note', { owner: other.id, ACL: other.ACL })
  await untilSent(page.client)
  const rows = await rowsOf('Note', { owner: id })
  expect(rows.length + (lost[0] ?? 0)).toBeGreaterThanOrEqual(30)
  expect(new Set(rows.map(({ n }) => n)).size).toBe(rows.length)
  for (const row of rows) expect(Object.keys(Object(row.ACL))).toEqual([id])
  expect(list(page.client).filter(({ owner }) => owner === id)).toEqual([])
  expect(await onDisk(device)).not.toContain(id)
  expect(await rowsOf('Note', { owner: other.id })).toHaveLength(1)
})

test('the device is full while the queue is sent: every write is done once, and leaves the queue when there is room', async () => {
  const { device, page, id, ACL } = await openUser()
  await untilCurrent(page.client)
  device.cut()
  for (let n = 0; n < 5; n++) {
    const note = await createDocument(page.client, 'Note', { owner: id, n: 0, ACL })
    await saveDocument(page.client, pointer('Note', note.objectId), { n: increment(1) })
  }
  page.kill()
  const { write } = device.store
  const isFull = { now: false }
  Object.assign(device.store, {
    write: async (changes: Parameters<typeof write>[0]) => {
      // The mark of a sent write still fits; the outcome does not.
      if (isFull.now && changes.some(([key, value]) => key.includes('\nwrite/') && value === undefined))
        throw new DOMException('No space', 'QuotaExceededError')
      return write(changes)
    },
  })
  const next = await open(device)
  await vi.waitFor(() => expect(offlineOf(next.client).pending.get().pending).toHaveLength(10), waiting)
  isFull.now = true
  device.join()
  await vi.waitFor(async () => expect(await rowsOf('Note', { owner: id })).toHaveLength(5), waiting)
  const sent = next.sent.length
  await vi.waitFor(() => expect(next.sent.length).toBeGreaterThan(sent), waiting)
  expect(offlineOf(next.client).pending.get().pending).toHaveLength(10)
  expect(offlineOf(next.client).pending.get().failed).toEqual([])
  isFull.now = false
  await untilSent(next.client)
  expect((await rowsOf('Note', { owner: id })).map(({ n }) => n)).toEqual([1, 1, 1, 1, 1])
})

test.each([
  ['ahead', 1],
  ['behind', -1],
])('a clock one day %s: writes keep their order, and changes of others are seen after own ones', async (_, ahead) => {
  const { device, page, id, ACL } = await openUser()
  await untilCurrent(page.client)
  device.cut()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ahead * day })
  const note = await createDocument(page.client, 'Note', { owner: id, text: 'first', n: 0, ACL })
  await saveDocument(page.client, pointer('Note', note.objectId), { text: 'second', n: increment(1) })
  device.join()
  await untilSent(page.client)
  expect(offlineOf(page.client).pending.get().failed).toEqual([])
  const [row] = await rowsOf('Note', { owner: id })
  expect(row).toMatchObject({ text: 'second', n: 1 })
  await server.asMaster('PUT', `/classes/Note/${row?.objectId}`, { text: 'theirs' })
  await vi.waitFor(() => expect(list(page.client)[0]).toMatchObject({ text: 'theirs', n: 1 }), waiting)
  await saveDocument(page.client, pointer('Note', String(row?.objectId)), { text: 'mine again' })
  await untilSent(page.client)
  await vi.waitFor(() => expect(list(page.client)[0]).toMatchObject({ text: 'mine again' }), waiting)
  expect(await rowsOf('Note', { owner: id })).toEqual([expect.objectContaining({ text: 'mine again', n: 1 })])
})

test('another version of the application reads everything again and keeps the queue', async () => {
  const { device, page, id, ACL } = await openUser({ version: 1 })
  await untilCurrent(page.client)
  await createDocument(page.client, 'Note', { owner: id, text: 'known', ACL })
  await untilSent(page.client)
  device.cut()
  await createDocument(page.client, 'Note', { owner: id, text: 'queued', ACL })
  page.kill()
  const next = await open(device, { version: 2 })
  await vi.waitFor(() => expect(offlineOf(next.client).pending.get().pending).toHaveLength(1), waiting)
  expect(await onDisk(device)).not.toContain('known')
  device.join()
  await untilSent(next.client)
  await vi.waitFor(
    () => expect(list(next.client, { owner: id }).map(({ text }) => text)).toEqual(['known', 'queued']),
    waiting,
  )
})

test('a queued file, and a document with it, survive a kill', async () => {
  const { device, page, id, ACL } = await openUser()
  await untilCurrent(page.client)
  device.cut()
  const file = new File(['the picture'], 'picture.txt', { type: 'text/plain' })
  const picture = await queueUpload(page.client, { file })
  expect(picture.url).toMatch(/^blob:/)
  const note = await createDocument(page.client, 'Note', { owner: id, picture, ACL })
  expect(list(page.client)[0]).toMatchObject({ objectId: note.objectId })
  page.kill()
  const next = await open(device)
  await vi.waitFor(() => expect(offlineOf(next.client).pending.get().pending).toHaveLength(2), waiting)
  device.join()
  await untilSent(next.client)
  expect(offlineOf(next.client).pending.get().failed).toEqual([])
  const [row] = await rowsOf('Note', { owner: id })
  const stored = row?.picture as { name: string; url: string }
  expect(stored.name).toMatch(/_picture\.txt$/)
  expect(await (await fetch(stored.url)).text()).toBe('the picture')
  await vi.waitFor(() => expect(list(next.client)[0]?.picture).toMatchObject({ name: stored.name }), waiting)
})

test('a queued file is stored once although responses are lost', async () => {
  const { device, page, id, ACL } = await openUser()
  await untilCurrent(page.client)
  device.cut()
  const name = `once${id}.txt`
  const picture = await queueUpload(page.client, { file: new File(['the picture'], name, { type: 'text/plain' }) })
  await createDocument(page.client, 'Note', { owner: id, picture, ACL })
  page.loseResponses = 2
  device.join()
  await untilSent(page.client)
  expect(page.sent.filter(({ path }) => path.startsWith('/files')).length).toBeGreaterThan(1)
  const { results } = (await server.asMaster('GET', `/console/files?search=${name}`)) as { results: { name: string }[] }
  const [row] = await rowsOf('Note', { owner: id })
  expect(results).toEqual([expect.objectContaining({ name: (row?.picture as StoredFile | undefined)?.name })])
})

test('a refused file takes the writes with it along', async () => {
  const { device, page, id, ACL } = await openUser()
  await untilCurrent(page.client)
  device.cut()
  const file = new File(['<script>'], 'page.html', { type: 'text/html' })
  const picture = await queueUpload(page.client, { file })
  await createDocument(page.client, 'Note', { owner: id, picture, ACL })
  await createDocument(page.client, 'Note', { owner: id, text: 'apart', ACL })
  device.join()
  await untilSent(page.client)
  const { failed } = offlineOf(page.client).pending.get()
  expect(failed).toHaveLength(2)
  expect(failed[1]?.failedWith).toBe(failed[0]?.key)
  expect((await rowsOf('Note', { owner: id })).map(({ text }) => text)).toEqual(['apart'])
  await offlineOf(page.client).discard(String(failed[0]?.key))
  expect(offlineOf(page.client).pending.get()).toMatchObject({ pending: [], failed: [] })
})

test('a queued function survives a kill and runs; others are not queued', async () => {
  const { device, page, id } = await openUser()
  await untilCurrent(page.client)
  device.cut()
  await queueFunction(page.client, 'vote', { movie: 'Alien' })
  await expect(queueFunction(page.client, 'pay', {})).rejects.toMatchObject({ reason: 'validationError' })
  page.kill()
  const next = await open(device)
  await vi.waitFor(() => expect(offlineOf(next.client).pending.get().pending).toHaveLength(1), waiting)
  device.join()
  await untilSent(next.client)
  expect(offlineOf(next.client).pending.get().failed).toEqual([])
  expect(await rowsOf('Vote', { by: id })).toEqual([expect.objectContaining({ movie: 'Alien' })])
})

test('resolve: a function that returns nothing or fails gives up, and a later conflict asks it again', async () => {
  const answers: (() => object | undefined)[] = []
  const { device, page, id, ACL } = await openUser({
    classes: [{ className: 'Note', conflicts: 'refuse' }],
    resolve: () => answers.shift()?.(),
  })
  await untilCurrent(page.client)
  const note = await createDocument(page.client, 'Note', { owner: id, text: 'start', ACL })
  await untilSent(page.client)
  const conflict = async () => {
    device.cut()
    await saveDocument(page.client, pointer('Note', note.objectId), { text: 'mine' })
    await server.asMaster('PUT', `/classes/Note/${note.objectId}`, { text: 'theirs' })
    device.join()
    await untilSent(page.client)
    return offlineOf(page.client).pending.get().failed
  }
  for (const answer of [
    () => undefined,
    () => {
      throw new Error('broken')
    },
  ]) {
    answers.push(answer)
    const failed = await conflict()
    expect(failed.map(({ error }) => error?.reason)).toEqual(['objectChanged'])
    expect(failed[0]?.error?.object).toMatchObject({ text: 'theirs' })
    await offlineOf(page.client).discard(String(failed[0]?.key))
    await untilCurrent(page.client)
    await vi.waitFor(() => expect(list(page.client)[0]).toMatchObject({ text: 'theirs' }), waiting)
  }
  let asked = 0
  const merge = () => {
    asked++
    return { text: 'merged' }
  }
  answers.push(merge, merge)
  expect(await conflict()).toEqual([])
  expect(asked).toBe(1)
  expect(await rowsOf('Note', { owner: id })).toEqual([expect.objectContaining({ text: 'merged' })])
})

test('resolve: a document that is deleted during the decision does not come back', async () => {
  let decide = async (): Promise<object | undefined> => undefined
  const { device, page, id, ACL } = await openUser({
    classes: [{ className: 'Note', conflicts: 'refuse' }],
    resolve: () => decide(),
  })
  await untilCurrent(page.client)
  const note = await createDocument(page.client, 'Note', { owner: id, text: 'start', ACL })
  await untilSent(page.client)
  const isKept = async () =>
    (await device.store.list('', '\uffff')).some(([key]) => key.endsWith(`row/Note/${note.objectId}`))
  expect(await isKept()).toBe(true)
  decide = async () => {
    await server.asMaster('DELETE', `/classes/Note/${note.objectId}`)
    await vi.waitFor(async () => expect(await isKept()).toBe(false), waiting)
    return { text: 'merged' }
  }
  device.cut()
  await saveDocument(page.client, pointer('Note', note.objectId), { text: 'mine' })
  await server.asMaster('PUT', `/classes/Note/${note.objectId}`, { text: 'theirs' })
  device.join()
  await vi.waitFor(() => expect(offlineOf(page.client).pending.get().failed).toHaveLength(1), waiting)
  expect(list(page.client)).toEqual([])
  expect(await isKept()).toBe(false)
})

test('a full device refuses a write with a reason, and shows nothing that it has not stored', async () => {
  const { device, page, id, ACL } = await openUser()
  await untilCurrent(page.client)
  device.cut()
  const { write } = device.store
  const isFull = { now: true }
  const full: typeof write = async (changes) => {
    if (isFull.now) throw new DOMException('No space', 'QuotaExceededError')
    return write(changes)
  }
  page.kill()
  const next = await open(device, {})
  Object.assign(device.store, { write: full })
  const again = await open(device)
  await expect(createDocument(again.client, 'Note', { owner: id, ACL })).rejects.toMatchObject({ reason: 'deviceFull' })
  expect(list(again.client)).toEqual([])
  isFull.now = false
  await createDocument(again.client, 'Note', { owner: id, text: 'now', ACL })
  device.join()
  await untilSent(again.client)
  expect((await rowsOf('Note', { owner: id })).map(({ text }) => text)).toEqual(['now'])
  next.kill()
})

const sessions = defineAccountReading('listSessions', async (client, _: undefined, given) => {
  const { results } = await request(client, 'listSessions', {}, given)
  return results
})
const sums = defineSharedReading(
  ({ key }: { key: unknown }) => ({ read: key }),
  async (client, _, given) => {
    await request(client, 'listSessions', {}, given)
    return { total: 12_345n, at: new Date(0) }
  },
)

test('results of readings are kept, shown offline, replaced, and gone with the user', async () => {
  const { device, page } = await openUser()
  const key = ['sums', 1]
  const stops = [sessions(page.client, undefined), sums(page.client, { key })].map((one) => one.subscribe(() => {}))
  await vi.waitFor(async () => expect(await onDisk(device)).toContain('result/'), waiting)
  await vi.waitFor(() => expect(sums(page.client, { key }).peek.get().status).toBe('success'), waiting)
  const [own] = sessions(page.client, undefined).peek.get().data as { objectId: string }[]
  await vi.waitFor(async () => expect(await onDisk(device)).toContain(own?.objectId), waiting)
  for (const stop of stops) stop()
  page.kill()
  device.cut()
  const offline = await open(device)
  const [kept, total] = [sessions(offline.client, undefined), sums(offline.client, { key })]
  kept.subscribe(() => {})
  await vi.waitFor(() => expect(kept.peek.get()).toMatchObject({ status: 'success', isStale: true }), waiting)
  expect(kept.peek.get()).toMatchObject({ data: [{ objectId: own?.objectId }], readAt: expect.any(Number) })
  expect(total.peek.get().data).toEqual({ total: 12_345n, at: new Date(0) })
  device.join()
  await kept.refetch()
  expect(kept.peek.get()).not.toHaveProperty('isStale')
  await signOut(offline.client)
  expect(await onDisk(device)).not.toContain(own?.objectId)
  expect(kept.peek.get().data).toBeUndefined()
})
