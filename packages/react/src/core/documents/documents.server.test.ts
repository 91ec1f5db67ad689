// @vitest-environment node
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemory } from '../../testing/createMemory.ts'
import { startServer, type TestServer } from '../../testing/startServer.ts'
import type { Client, ClientOptions } from '../client/Client.ts'
import { signUp } from '../session/signUp.ts'
import { createClient } from '../setup/createClient.ts'
import { initialize } from '../setup/initialize.ts'
import { deleteDocument, deleteDocuments } from './deleteDocuments.ts'
import { countDocuments, findDocumentPages, findDocuments, findFirstDocument, getDocument } from './findDocuments.ts'
import { add, addToRelation, addUnique, increment, remove, removeFromRelation, unset } from './op.ts'
import { defineQuery, relationQuery } from './Query.ts'
import { createDocument, saveDocument, saveDocuments } from './saveDocuments.ts'
import { bytes, geoPoint, pointer, polygon, readBytes } from './values.ts'
import {
  contains,
  inQuery,
  intersects,
  matches,
  matchesKeyInQuery,
  near,
  notInQuery,
  search,
  startsWith,
  withinBox,
  withinCircle,
  withinPolygon,
} from './where.ts'

let server: TestServer
let client: Client
beforeAll(async () => {
  server = await startServer()
  client = await connect()
})
afterAll(() => server.remove())

async function connect(options: ClientOptions = {}): Promise<Client> {
  const { appId, serverUrl } = server
  const made = createClient({ appId, serverUrl, storage: createMemory(), throwOnError: true, ...options })
  await initialize(made)
  return made
}

function sure<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('nothing came back')
  return value
}

async function titles(className: string, where: { [field: string]: unknown }): Promise<unknown[]> {
  const found = sure(await findDocuments(client, defineQuery(className, { where, order: ['title'] })))
  return found.map(({ title }) => title)
}

test('every kind of value is read as it was saved', async () => {
  const at = new Date('2026-01-02T03:04:05.678Z')
  const fields = {
    text: 'Zoë',
    number: 1.5,
    flag: false,
    at,
    nothing: null,
    list: [1, 'a', { deep: [true] }, at],
    inside: { a: { b: 1 }, at },
    place: geoPoint(48.2, 16.36),
    salt: bytes(Uint8Array.of(0, 255, 7)),
    ACL: { '*': { read: true, write: true } } as const,
  }
  const made = sure(await createDocument(client, 'Everything', fields))
  const read = sure(await getDocument(client, 'Everything', made.objectId))
  expect(read).toMatchObject(fields)
  expect(read).toEqual(made)
  expect(readBytes(read.salt as typeof fields.salt)).toEqual(Uint8Array.of(0, 255, 7))
  expect(read.updatedAt).toEqual(read.createdAt)
  expect(Date.now() - read.createdAt.getTime()).toBeLessThan(60_000)
})

test('a save returns the object as the server has it', async () => {
  const made = sure(
    await createDocument(client, 'Tally', { score: 1, tags: ['a'], o: { k: 1, z: { y: 1 } }, gone: 'x' }),
  )
  const other = sure(await saveDocument(client, pointer('Tally', made.objectId), { score: increment(10) }))
  expect(other.score).toBe(11)
  const changed = await saveDocument(client, made, {
    score: increment(4),
    tags: addUnique('a', 'b'),
    gone: unset(),
    'o.z.y': increment(2),
    'o.n': 'new',
  })
  expect(changed).toMatchObject({ score: 15, tags: ['a', 'b'], o: { k: 1, z: { y: 3 }, n: 'new' } })
  expect(changed).toEqual(await getDocument(client, 'Tally', made.objectId))
  const more = await saveDocument(client, sure(changed), { tags: add('b', 'c') })
  const less = await saveDocument(client, sure(more), { tags: remove('b') })
  expect(less?.tags).toEqual(['a', 'c'])
  expect(less).toEqual(await getDocument(client, 'Tally', made.objectId))
})

test('an object that is gone is error 101, for reading and for saving', async () => {
  const made = sure(await createDocument(client, 'Tally', { score: 1 }))
  await deleteDocument(client, made)
  await expect(getDocument(client, 'Tally', made.objectId)).rejects.toMatchObject({ code: 101 })
  await expect(saveDocument(client, made, { score: 2 })).rejects.toMatchObject({ code: 101 })
  await expect(deleteDocument(client, made)).rejects.toMatchObject({ code: 101 })
})

test('conditions, each by its helper', async () => {
  await saveDocuments(
    client,
    [
      { title: 'Chess', score: 5, city: 'Vienna', place: geoPoint(48.2, 16.37), area: [0, 0] },
      { title: 'Go [1]', score: 7, city: 'Linz', place: geoPoint(48.3, 14.29), area: [20, 20] },
      { title: 'Mühle', score: 9, city: 'Graz', place: geoPoint(47.07, 15.44), area: [40, 40] },
    ].map(({ area: [a = 0, b = 0], ...fields }) => ({
      className: 'Board',
      fields: { ...fields, area: polygon([geoPoint(a, b), geoPoint(a, b + 9), geoPoint(a + 9, b + 9)]) },
    })),
  )
  await createDocument(client, 'Tournament', { city: 'Linz' })
  const vienna = geoPoint(48.21, 16.37)
  expect(await titles('Board', { score: { $gt: 5, $lte: 9 } })).toEqual(['Go [1]', 'Mühle'])
  expect(await titles('Board', { title: startsWith('Go [') })).toEqual(['Go [1]'])
  expect(await titles('Board', { title: contains('ühl') })).toEqual(['Mühle'])
  expect(await titles('Board', { title: matches(/^chE..$/i) })).toEqual(['Chess'])
  expect(await titles('Board', { title: search('chess') })).toEqual(['Chess'])
  expect(await titles('Board', { $or: [{ score: 5 }, { city: 'Graz' }] })).toEqual(['Chess', 'Mühle'])
  expect(await titles('Board', { city: matchesKeyInQuery(defineQuery('Tournament'), 'city') })).toEqual(['Go [1]'])
  expect(await titles('Board', { place: withinCircle(vienna, { kilometers: 10 }) })).toEqual(['Chess'])
  expect(await titles('Board', { place: withinBox(geoPoint(48, 14), geoPoint(49, 17)) })).toEqual(['Chess', 'Go [1]'])
  const corners = [geoPoint(46, 15), geoPoint(46, 16), geoPoint(48, 16), geoPoint(48, 15)]
  expect(await titles('Board', { place: withinPolygon(corners) })).toEqual(['Mühle'])
  expect(await titles('Board', { area: intersects(geoPoint(21, 25)) })).toEqual(['Go [1]'])
  const nearest = await findDocuments(
    client,
    defineQuery('Board', { where: { place: near(vienna, { kilometers: 180 }) } }),
  )
  expect(nearest?.map(({ title }) => title)).toEqual(['Chess', 'Mühle', 'Go [1]'])
  expect(await findFirstDocument(client, defineQuery('Board', { where: { score: 99 } }))).toBeUndefined()
  expect((await findFirstDocument(client, defineQuery('Board', { order: ['-score'], keys: ['title'] })))?.title).toBe(
    'Mühle',
  )
  expect(await countDocuments(client, defineQuery('Board', { where: { score: { $gte: 7 } }, limit: 1 }))).toBe(2)
})

test('pointers, what they include, and questions through them', async () => {
  const ada = sure(await createDocument(client, 'Person', { name: 'Ada', born: new Date(0) }))
  const bob = sure(await createDocument(client, 'Person', { name: 'Bob', friend: ada }))
  await saveDocuments(client, [
    { className: 'Match', fields: { title: 'one', owner: ada, judges: [ada, bob] } },
    { className: 'Match', fields: { title: 'two', owner: bob } },
  ])
  const [one] = sure(
    await findDocuments(client, defineQuery('Match', { where: { owner: ada }, include: ['owner', 'judges'] })),
  )
  expect(one?.owner).toEqual(ada)
  expect(one?.judges).toEqual([ada, bob])
  const two = await findFirstDocument(
    client,
    defineQuery('Match', { where: { title: 'two' }, include: ['owner.friend'] }),
  )
  expect(two?.owner).toEqual({ ...bob, friend: ada })
  const named = defineQuery('Person', { where: { name: 'Ada' } })
  expect(await titles('Match', { owner: inQuery(named) })).toEqual(['one'])
  expect(await titles('Match', { owner: notInQuery(named) })).toEqual(['two'])
  expect(await titles('Match', { judges: bob })).toEqual(['one'])
  const kept = await saveDocument(client, sure(one), { title: 'first' })
  expect(kept?.owner).toEqual(ada)
})

test('relations hold and lose their members', async () => {
  const [ada, bob] = await Promise.all([
    createDocument(client, 'Fan', { name: 'Ada', age: 20 }),
    createDocument(client, 'Fan', { name: 'Bob', age: 10 }),
  ])
  const club = sure(await createDocument(client, 'Club', { name: 'C', fans: addToRelation(sure(ada), sure(bob)) }))
  const read = sure(await getDocument(client, 'Club', club.objectId))
  const names = async (object: Parameters<typeof relationQuery>[0], where = {}) =>
    (await findDocuments(client, relationQuery(object, 'fans', { where, order: ['name'] })))?.map(({ name }) => name)
  expect(await names(read)).toEqual(['Ada', 'Bob'])
  expect(await names(pointer('Club', club.objectId))).toEqual(['Ada', 'Bob'])
  expect(await names(read, { age: { $gt: 15 } })).toEqual(['Ada'])
  expect((await findFirstDocument(client, relationQuery(pointer('Club', club.objectId), 'fans')))?.className).toBe(
    'Fan',
  )
  expect(await countDocuments(client, relationQuery(read, 'fans'))).toBe(2)
  await saveDocument(client, read, { fans: removeFromRelation(sure(ada)) })
  expect(await names(read)).toEqual(['Bob'])
})

test('R25: many are saved and deleted 20 at a time; one that fails leaves the others alone', async () => {
  const inputs = Array.from({ length: 45 }, (_, n) => ({ className: 'Many', fields: { n } }))
  const made = sure(await saveDocuments(client, inputs))
  expect(made.every(({ status }) => status === 'success')).toBe(true)
  const objects = made.flatMap((outcome) => (outcome.status === 'success' ? [outcome.data] : []))
  const changes = objects.slice(0, 3).map((object, index) => ({ object, changes: { n: index === 1 ? 'text' : 100 } }))
  const changed = sure(await saveDocuments(client, changes))
  expect(changed.map(({ status }) => status)).toEqual(['success', 'error', 'success'])
  expect(changed[1]).toMatchObject({ error: { name: 'CountersignError', code: 111 } })
  expect(await countDocuments(client, defineQuery('Many', { where: { n: 100 } }))).toBe(2)
  const left = sure(await deleteDocuments(client, [pointer('Many', 'nothere000'), ...objects]))
  expect(left[0]).toMatchObject({ status: 'error', error: { code: 101 } })
  expect(left.slice(1).every(({ status }) => status === 'success')).toBe(true)
  expect(await countDocuments(client, defineQuery('Many'))).toBe(0)
})

test('a transaction saves all or none', async () => {
  await createDocument(client, 'Together', { n: 0 })
  const inputs = [1, 2, 'three'].map((n) => ({ className: 'Together', fields: { n } }))
  await expect(saveDocuments(client, inputs, { transaction: true })).rejects.toMatchObject({ code: 111 })
  expect(await countDocuments(client, defineQuery('Together'))).toBe(1)
  await saveDocuments(client, inputs.slice(0, 2), { transaction: true })
  expect(await countDocuments(client, defineQuery('Together'))).toBe(3)
})

test('pages neither repeat nor skip remaining rows under concurrent changes', async () => {
  const inputs = Array.from({ length: 25 }, (_, n) => ({ className: 'Page', fields: { n, group: n % 2 } }))
  await saveDocuments(client, inputs)
  const seen: unknown[] = []
  for await (const page of findDocumentPages(client, defineQuery('Page', { order: ['group', '-n'], limit: 10 }))) {
    expect(page.length).toBeLessThanOrEqual(10)
    seen.push(...page.map(({ n }) => n))
    if (seen.length === 10) {
      await createDocument(client, 'Page', { n: 99, group: 0 })
      await deleteDocument(client, sure(page[0]))
    }
  }
  const even = Array.from({ length: 13 }, (_, index) => 24 - 2 * index)
  const odd = Array.from({ length: 12 }, (_, index) => 23 - 2 * index)
  expect(seen).toEqual([...even, ...odd])
})

test('objects without read access are not found; guests find public ones', async () => {
  const owner = await connect()
  const user = sure(await signUp(owner, { username: 'document-owner', password: 'correct horse battery' }))
  await createDocument(owner, 'Note', { text: 'mine', ACL: { [user.objectId]: { read: true, write: true } } })
  const open = sure(await createDocument(owner, 'Note', { text: 'ours', ACL: { '*': { read: true } } }))
  const texts = async (reader: Client) =>
    (await findDocuments(reader, defineQuery('Note', { order: ['text'] })))?.map(({ text }) => text)
  expect(await texts(owner)).toEqual(['mine', 'ours'])
  expect(await texts(client)).toEqual(['ours'])
  await expect(saveDocument(client, open, { text: 'changed' })).rejects.toMatchObject({ code: 101 })
})

test('the own account read as an object shows no token, and saving it so reaches the session', async () => {
  const owner = await connect()
  const user = sure(await signUp(owner, { username: 'document-self', password: 'correct horse battery' }))
  const self = sure(await getDocument(owner, '_User', user.objectId))
  expect(self).toMatchObject({ className: '_User', username: 'document-self' })
  expect(JSON.stringify(self)).not.toContain('r:')
  await saveDocument(owner, self, { colour: 'teal' })
  expect(owner.session.get()).toMatchObject({ user: { colour: 'teal' } })
})

test('a save whose response was lost counts once', async () => {
  let lost = 0
  const flaky = await connect({
    async fetch(input, init) {
      const response = await fetch(input, init)
      if (init?.method === 'POST' && String(input).endsWith('/classes/Once') && lost++ === 0) {
        throw new TypeError('fetch failed')
      }
      return response
    },
  })
  const made = sure(await createDocument(flaky, 'Once', { n: 1 }))
  expect(lost).toBe(2)
  expect(await countDocuments(client, defineQuery('Once'))).toBe(1)
  expect((await getDocument(client, 'Once', made.objectId))?.n).toBe(1)
})
