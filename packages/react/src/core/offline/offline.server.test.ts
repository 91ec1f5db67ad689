// @vitest-environment node
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
import { deleteDocument } from '../documents/deleteDocuments.ts'
import { addUnique, increment } from '../documents/op.ts'
import { defineQuery } from '../documents/Query.ts'
import { createDocument, saveDocument, saveDocuments } from '../documents/saveDocuments.ts'
import { pointer } from '../documents/values.ts'
import { documentsReading } from '../live/documentReadings.ts'
import { signInWithPassword } from '../session/signInWithPassword.ts'
import { signOut } from '../session/signOut.ts'
import { signUp } from '../session/signUp.ts'
import type { OfflineOptions } from './offline.ts'
import { offlineOf } from './offline.ts'

const server = serveTests({ offline: { classes: ['Note', 'Doc'] }, allowClientClassCreation: true })
const options: OfflineOptions = { classes: ['Note', 'Doc', 'Old'] }
const password = 'correct horse battery'
const devices: OfflineDevice[] = []
const pages: OfflinePage[] = []

beforeEach(() => {
  vi.stubGlobal('WebSocket', NodeSocket)
  // Locks of one process would outlive the pages that the tests kill.
  vi.stubGlobal('navigator', { onLine: true })
})
afterEach(() => {
  for (const page of pages.splice(0)) page.kill()
  for (const device of devices.splice(0)) device.remove()
  vi.unstubAllGlobals()
})

async function createDevice() {
  const device = await createOfflineDevice(server)
  devices.push(device)
  return device
}
async function open(device: OfflineDevice, more: Partial<OfflineOptions> = {}) {
  const page = await openOfflinePage(server, device, { ...options, ...more })
  pages.push(page)
  return page
}

let counter = 0
async function openUser(more: Partial<OfflineOptions> = {}) {
  const device = await createDevice()
  const page = await open(device, more)
  const username = `offline${++counter}`
  const user = await signUp(page.client, { username, password })
  return { device, page, username, id: String(user?.objectId) }
}

const read = (client: Client, className: string, rest = {}) =>
  documentsReading(client, defineQuery(className, { order: ['createdAt'], ...rest })).peek.get()
const list = (client: Client, className: string, rest = {}) =>
  (read(client, className, rest).data ?? []) as { readonly objectId: string; readonly [field: string]: unknown }[]
const waiting = { timeout: 60_000, interval: 20 }
const untilCurrent = (client: Client) =>
  vi.waitFor(() => expect(offlineOf(client).pending.get().isCurrent).toBe(true), waiting)
// Until the device has opened, nothing is known to wait.
const untilSent = (client: Client) =>
  vi.waitFor(() => expect(offlineOf(client).pending.get()).toMatchObject({ pending: [], isCurrent: true }), waiting)
const rowsOf = async (className: string, user?: string) => {
  const { results } = await server.asMaster('GET', `/classes/${className}?limit=1000`)
  const rows = results as { objectId: string; owner?: string; [field: string]: unknown }[]
  return user ? rows.filter(({ owner }) => owner === user) : rows
}

test('opened without a network after a visit, the last state is on show; then only what changed is read', async () => {
  const { device, page } = await openUser()
  await untilCurrent(page.client)
  const note = await createDocument(page.client, 'Note', { text: 'first', tag: device.serverUrl })
  await untilSent(page.client)
  page.kill()
  device.cut()
  const offline = await open(device)
  const where = { tag: device.serverUrl }
  await vi.waitFor(() => expect(list(offline.client, 'Note', { where })).toHaveLength(1), waiting)
  expect(read(offline.client, 'Note', { where })).toMatchObject({ status: 'success', isStale: true })
  expect(list(offline.client, 'Note', { where })[0]).toMatchObject({ objectId: note.objectId, text: 'first' })
  await server.asMaster('PUT', `/classes/Note/${note.objectId}`, { text: 'changed elsewhere' })
  device.join()
  await vi.waitFor(() => expect(list(offline.client, 'Note', { where })[0]?.text).toBe('changed elsewhere'), waiting)
  await untilCurrent(offline.client)
  expect(read(offline.client, 'Note', { where })).not.toHaveProperty('isStale')
})

test('documents of the device are confirmed once the server reports no change', async () => {
  const { device, page, id } = await openUser()
  await untilCurrent(page.client)
  await createDocument(page.client, 'Note', { owner: id })
  await untilSent(page.client)
  page.kill()
  device.cut()
  const next = await open(device)
  const notes = documentsReading(next.client, defineQuery('Note', { where: { owner: id } }))
  const seen: unknown[] = []
  notes.peek.subscribe(() => seen.push(notes.peek.get().isStale))
  await vi.waitFor(() => expect(notes.peek.get()).toMatchObject({ status: 'success', isStale: true }), waiting)
  const { data } = notes.peek.get()
  device.join()
  await vi.waitFor(() => expect(notes.peek.get()).not.toHaveProperty('isStale'), waiting)
  expect(notes.peek.get().data).toBe(data)
  expect(seen.at(-1)).toBeUndefined()
})

test('writes are on disk before they resolve, survive a kill, and are done once although responses are lost', async () => {
  const { device, page, id } = await openUser()
  await untilCurrent(page.client)
  device.cut()
  const acknowledged: string[] = []
  for (let n = 0; n < 40; n++) {
    const note = await createDocument(page.client, 'Note', { n, owner: id, total: 0 })
    await saveDocument(page.client, note, { total: increment(1), tags: addUnique('a', 'b') })
    acknowledged.push(note.objectId)
  }
  expect(list(page.client, 'Note', { where: { owner: id } }).every(({ total }) => total === 1)).toBe(true)
  page.kill()
  const second = await open(device)
  await vi.waitFor(() => expect(list(second.client, 'Note', { where: { owner: id } })).toHaveLength(40), waiting)
  second.loseResponses = 15
  device.join()
  // Killed in the middle of sending.
  await vi.waitFor(async () => expect((await rowsOf('Note', id)).length).toBeGreaterThan(5), waiting)
  second.kill()
  const third = await open(device)
  await untilSent(third.client)
  const rows = await rowsOf('Note', id)
  expect(rows.map(({ objectId }) => objectId).sort()).toEqual([...acknowledged].sort())
  expect(rows.every(({ total, tags }) => total === 1 && String(tags) === 'a,b')).toBe(true)
  await vi.waitFor(
    () =>
      expect(
        list(third.client, 'Note', { where: { owner: id } })
          .map(({ objectId }) => objectId)
          .sort(),
      ).toEqual([...acknowledged].sort()),
    waiting,
  )
}, 180_000)

test('a class that takes no ids of clients: local ids are replaced, in pointers and later writes too', async () => {
  const { device, page, id } = await openUser()
  await untilCurrent(page.client)
  device.cut()
  const parent = await createDocument(page.client, 'Old', { owner: id, name: 'parent' })
  const child = await createDocument(page.client, 'Old', { owner: id, parent: pointer('Old', parent.objectId) })
  await saveDocument(page.client, child, { n: increment(2) })
  page.kill()
  device.join()
  const next = await open(device)
  await untilSent(next.client)
  const rows = await rowsOf('Old', id)
  const madeParent = rows.find(({ name }) => name === 'parent')
  expect(rows).toHaveLength(2)
  expect(madeParent?.objectId).toHaveLength(10)
  expect(rows.find(({ parent }) => parent)).toMatchObject({ n: 2, parent: { objectId: madeParent?.objectId } })
})

test('a refusal rolls back the write and those that build on it; retry and discard', async () => {
  const { device, page, id } = await openUser()
  await untilCurrent(page.client)
  await server.asMaster('POST', '/schemas/Strict', {
    className: 'Strict',
    fields: { n: { type: 'Number' }, owner: { type: 'String' }, to: { type: 'Pointer', targetClass: 'Strict' } },
  })
  page.kill()
  const next = await open(device, { classes: ['Strict'] })
  await untilCurrent(next.client)
  device.cut()
  const wrong = await createDocument(next.client, 'Strict', { n: 'no number', owner: id })
  await createDocument(next.client, 'Strict', { n: 2, owner: id, to: pointer('Strict', wrong.objectId) })
  await createDocument(next.client, 'Strict', { n: 3, owner: id })
  expect(list(next.client, 'Strict', { where: { owner: id } })).toHaveLength(3)
  device.join()
  await untilSent(next.client)
  const { failed } = offlineOf(next.client).pending.get()
  expect(failed).toHaveLength(2)
  expect(failed[0]?.error).toMatchObject({ code: 111 })
  expect(failed[1]?.failedWith).toBe(failed[0]?.key)
  await vi.waitFor(
    () => expect(list(next.client, 'Strict', { where: { owner: id } }).map(({ n }) => n)).toEqual([3]),
    waiting,
  )
  await offlineOf(next.client).retry(String(failed[0]?.key))
  await vi.waitFor(() => expect(offlineOf(next.client).pending.get().failed).toHaveLength(2), waiting)
  await offlineOf(next.client).discard(String(failed[0]?.key))
  expect(offlineOf(next.client).pending.get()).toMatchObject({ pending: [], failed: [] })
  expect((await rowsOf('Strict', id)).map(({ n }) => n)).toEqual([3])
})

test('conflicts: with ifUpdatedAt a change of others goes to resolve; operations merge', async () => {
  const conflicts: unknown[] = []
  const { device, page, id } = await openUser({
    classes: [{ className: 'Doc', conflicts: 'refuse' }],
    resolve({ fields, present }) {
      conflicts.push([fields?.text, present?.text])
      return { text: `${present?.text} + ${fields?.text}` }
    },
  })
  await untilCurrent(page.client)
  const doc = await createDocument(page.client, 'Doc', { owner: id, text: 'start', n: 0 })
  await untilSent(page.client)
  await saveDocument(page.client, doc, { text: 'online' })
  await untilSent(page.client)
  expect(conflicts).toEqual([])
  device.cut()
  const [own] = list(page.client, 'Doc', { where: { owner: id } })
  if (!own) throw new Error('no document')
  await saveDocument(page.client, pointer('Doc', own.objectId), { text: 'mine' })
  await saveDocument(page.client, pointer('Doc', own.objectId), { n: increment(1) })
  await server.asMaster('PUT', `/classes/Doc/${own.objectId}`, { text: 'theirs', n: 10 })
  device.join()
  await untilSent(page.client)
  expect(conflicts).toEqual([['mine', 'theirs']])
  expect(await rowsOf('Doc', id)).toEqual([expect.objectContaining({ text: 'theirs + mine', n: 11 })])
})

test('a role that is revoked while the device is offline: its rows leave the device and never come back', async () => {
  const { device, page, id } = await openUser()
  const memberOf = (__op: string) => ({
    users: { __op, objects: [{ __type: 'Pointer', className: '_User', objectId: id }] },
  })
  const role = await server.asMaster('POST', '/roles', { name: `crew${id}`, ACL: {}, ...memberOf('AddRelation') })
  const ACL = { [`role:crew${id}`]: { read: true } }
  for (let n = 0; n < 3; n++) await server.asMaster('POST', '/classes/Note', { plan: id, n, ACL })
  const own = await createDocument(page.client, 'Note', { plan: id, n: 9, ACL: { [id]: { read: true, write: true } } })
  const where = { plan: id }
  await untilSent(page.client)
  await vi.waitFor(() => expect(list(page.client, 'Note', { where })).toHaveLength(4), waiting)
  device.cut()
  await server.asMaster('PUT', `/roles/${role.objectId}`, memberOf('RemoveRelation'))
  expect(list(page.client, 'Note', { where })).toHaveLength(4)
  device.join()
  await vi.waitFor(
    () => expect(list(page.client, 'Note', { where }).map(({ objectId }) => objectId)).toEqual([own.objectId]),
    waiting,
  )
  page.kill()
  device.cut()
  const offline = await open(device)
  await vi.waitFor(() => expect(list(offline.client, 'Note', { where })).toHaveLength(1), waiting)
  expect(JSON.stringify(await device.store.list('', '\uffff'))).not.toContain(`role:crew${id}`)
})

test('user A signs out, B signs in: nothing of A is on the device; unsent writes are not lost without a question', async () => {
  const asked: number[] = []
  let isSure = false
  const { device, page } = await openUser({
    confirmLoss: (writes) => {
      asked.push(writes.length)
      return isSure
    },
  })
  await untilCurrent(page.client)
  const secret = `secret of A ${device.serverUrl}`
  const ACL = { [String(page.client.session.get().user?.objectId)]: { read: true, write: true } }
  const note = await createDocument(page.client, 'Note', { text: secret, ACL })
  await untilSent(page.client)
  const other = await createDevice()
  const elsewhere = await open(other)
  await signUp(elsewhere.client, { username: `b${++counter}`, password })
  expect(JSON.stringify(await device.store.list('', '\uffff'))).toContain(secret)
  page.loseResponses = 1_000
  await saveDocument(page.client, note, { text: `${secret} again` })
  await expect(signOut(page.client)).rejects.toMatchObject({ reason: 'unsentWrites' })
  expect(page.client.session.get().status).toBe('authenticated')
  isSure = true
  page.loseResponses = 0
  await signOut(page.client)
  expect(asked[0]).toBe(1)
  expect(JSON.stringify(await device.store.list('', '\uffff'))).not.toContain(secret)
  await signInWithPassword(page.client, { username: `b${counter}`, password })
  await untilCurrent(page.client)
  expect(list(page.client, 'Note').some(({ text }) => String(text).includes(secret))).toBe(false)
  expect(JSON.stringify(await device.store.list('', '\uffff'))).not.toContain(secret)
})

test('a session that ends elsewhere wipes the device, and the application receives the unsent writes', async () => {
  const lost: number[] = []
  const { device, page } = await openUser({ onLoss: (writes) => lost.push(writes.length) })
  await untilCurrent(page.client)
  const text = `private ${device.serverUrl}`
  await createDocument(page.client, 'Note', { text })
  await untilSent(page.client)
  device.cut()
  await createDocument(page.client, 'Note', { text: `${text} unsent` })
  const { results } = await server.asMaster('GET', '/sessions?limit=1000')
  const own = page.client.session.get().user?.objectId
  for (const session of results as { objectId: string; user: { objectId: string } }[])
    if (session.user.objectId === own) await server.asMaster('DELETE', `/sessions/${session.objectId}`)
  device.join()
  await vi.waitFor(() => expect(page.client.session.get().status).toBe('unauthenticated'), waiting)
  await vi.waitFor(
    async () => expect(JSON.stringify(await device.store.list('', '\uffff'))).not.toContain(text),
    waiting,
  )
  expect(lost).toEqual([1])
})

test('a write that was sent with an earlier session ends nothing, and goes with the present one', async () => {
  const { page, username, id } = await openUser()
  await untilCurrent(page.client)
  const sessionsOf = async () => {
    const { results } = await server.asMaster('GET', '/sessions?limit=1000')
    const all = results as { objectId: string; user: { objectId: string } }[]
    return all.flatMap(({ objectId, user }) => (user.objectId === id ? [objectId] : []))
  }
  const former = await sessionsOf()
  let arrive = () => {}
  page.way = new Promise((resolve) => {
    arrive = resolve
  })
  const isOwn = ({ path }: { path: string }) => path.startsWith('/classes/Note')
  await createDocument(page.client, 'Note', { text: 'late', owner: id })
  await vi.waitFor(() => expect(page.sent.filter(isOwn)).toHaveLength(1), waiting)
  page.way = Promise.resolve()
  await signInWithPassword(page.client, { username, password })
  for (const session of await sessionsOf())
    if (former.includes(session)) await server.asMaster('DELETE', `/sessions/${session}`)
  arrive()
  await untilSent(page.client)
  expect(page.sent.filter(isOwn).map(({ status }) => status)).toEqual([400, 201])
  expect(page.client.session.get()).toMatchObject({ status: 'authenticated', user: { username } })
  expect(await rowsOf('Note', id)).toHaveLength(1)
})

test('a transaction is one write; two are never mixed', async () => {
  const { device, page, id } = await openUser()
  await untilCurrent(page.client)
  device.cut()
  await saveDocuments(
    page.client,
    [1, 2].map((n) => ({ className: 'Note', fields: { n, owner: id } })),
    { transaction: true },
  )
  expect(offlineOf(page.client).pending.get().pending).toHaveLength(1)
  const [first] = list(page.client, 'Note', { where: { owner: id } })
  if (!first) throw new Error('no document')
  await deleteDocument(page.client, pointer('Note', first.objectId))
  device.join()
  await untilSent(page.client)
  expect((await rowsOf('Note', id)).map(({ n }) => n)).toEqual([2])
})
