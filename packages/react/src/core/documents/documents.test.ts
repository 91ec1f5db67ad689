// @vitest-environment node
import { afterEach, expect, test } from 'vitest'
import { type Arrival, type Reply, startCounterpart } from '../../testing/startCounterpart.ts'
import { ValidationError } from '../errors/errors.ts'
import { createClient } from '../setup/createClient.ts'
import { initialize } from '../setup/initialize.ts'
import type { Doc } from '../values/Document.ts'
import { findDocumentPage } from './findDocumentPage.ts'
import {
  countDocuments,
  findDocumentPages,
  findDocuments,
  getDocument,
  readDocument,
  writeQuery,
} from './findDocuments.ts'
import { add, addToRelation, increment, unset } from './op.ts'
import { defineQuery, relationQuery } from './Query.ts'
import { createDocument, saveDocument, saveDocuments } from './saveDocuments.ts'
import { bytes, geoPoint, pointer, readBytes } from './values.ts'
import {
  contains,
  endsWith,
  inQuery,
  matches,
  matchesKeyInQuery,
  near,
  search,
  startsWith,
  withinCircle,
} from './where.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function connect(answer: (arrival: Arrival, count: number) => Reply) {
  const counterpart = await startCounterpart(answer)
  stops.push(counterpart.close)
  const client = createClient({ appId: 'a', serverUrl: counterpart.serverUrl, throwOnError: true, attemptLimit: 1 })
  await initialize(client)
  const bodies = () => counterpart.arrivals.map(({ method, url, body }) => [method, url, body && JSON.parse(body)])
  return { client, bodies }
}

const iso = '2026-01-02T03:04:05.678Z'
const date = { __type: 'Date', iso }
const owner = { __type: 'Object', className: 'Player', objectId: 'p', createdAt: iso, updatedAt: iso, name: 'Ada' }
const game = readDocument<Doc<'Game'>>('Game', {
  objectId: 'g',
  createdAt: iso,
  updatedAt: iso,
  title: 'Chess',
  score: 1,
  playedAt: date,
  owner,
  settings: { theme: 'dark', deep: { a: 1 } },
  list: [1, 2],
  likes: { __type: 'Relation', className: 'Player' },
})

test('an object is read with its class, its times as dates and what it includes, all of it frozen', () => {
  expect(game).toMatchObject({ __type: 'Object', className: 'Game', createdAt: new Date(iso), playedAt: new Date(iso) })
  expect(game.owner).toMatchObject({ className: 'Player', createdAt: new Date(iso), name: 'Ada' })
  expect(Object.isFrozen(game) && Object.isFrozen(game.owner) && Object.isFrozen(game.list)).toBe(true)
})

test('results contain no session token, at any depth', () => {
  const user = { objectId: 'u', sessionToken: 'r:secret', username: 'ada' }
  const inside = { objectId: 'x', friend: { ...user, __type: 'Object', className: '_User' } }
  expect(JSON.stringify([readDocument('_User', user), readDocument('Game', inside)])).not.toContain('secret')
  expect(readDocument('Game', { objectId: 'x', sessionToken: 'a field' })).toMatchObject({ sessionToken: 'a field' })
})

test('a query is written with its dates, its objects as pointers and its lists joined', () => {
  const asked = defineQuery('Game', {
    where: { playedAt: { $lt: new Date(iso) }, owner: game, $or: [{ score: 1 }, { at: new Date(iso) }] },
    order: ['-score', 'title'],
    include: ['owner', 'owner.team'],
    keys: ['title'],
    limit: 0,
  })
  expect(writeQuery(asked)).toEqual({
    className: 'Game',
    where: { playedAt: { $lt: date }, owner: pointer('Game', 'g'), $or: [{ score: 1 }, { at: date }] },
    order: '-score,title',
    include: 'owner,owner.team',
    keys: 'title',
    limit: 0,
  })
})

test('conditions by their helpers', () => {
  expect(startsWith('a.b')).toEqual({ $regex: '^\\Qa.b\\E' })
  expect(endsWith('a')).toEqual({ $regex: '\\Qa\\E$' })
  expect(contains('x\\Ey')).toEqual({ $regex: '\\Qx\\E\\\\E\\Qy\\E' })
  expect(matches(/^a.c/gi)).toEqual({ $regex: '^a.c', $options: 'i' })
  expect(matches(/a/)).toEqual({ $regex: 'a' })
  const where = { text: search('coffee', { language: 'en' }) }
  expect(writeQuery(defineQuery('A', { where })).where).toEqual({
    text: { $text: { $search: { $term: 'coffee', $language: 'en' } } },
  })
  expect(inQuery(defineQuery('Game', { where: { score: 1 }, limit: 3 }))).toEqual({
    $inQuery: { className: 'Game', where: { score: 1 } },
  })
  expect(matchesKeyInQuery(defineQuery('Game'), 'city')).toEqual({
    $select: { key: 'city', query: { className: 'Game', where: {} } },
  })
})

test('R26: distances are angles on an Earth of 6371 km or 3958.8 miles', () => {
  const here = geoPoint(48, 16)
  expect(near(here, { kilometers: 6371 })).toEqual({ $nearSphere: here, $maxDistance: 1 })
  expect(near(here)).toEqual({ $nearSphere: here })
  expect(withinCircle(here, { miles: 3958.8 })).toEqual({ $geoWithin: { $centerSphere: [here, 1] } })
  expect(() => near(here, { kilometers: -1 })).toThrow(ValidationError)
  expect(() => near(here, { kilometers: Number.NaN })).toThrow(ValidationError)
  expect(() => geoPoint(91, 0)).toThrow('latitude 91')
  expect(() => geoPoint(0, Number.NaN)).toThrow(ValidationError)
})

test('bytes are read as they were saved', () => {
  const data = Uint8Array.from({ length: 256 }, (_, index) => index)
  expect(readBytes(bytes(data))).toEqual(data)
})

test('a relation is asked for by its class, or by its field where only the server knows the class', () => {
  const $relatedTo = { object: pointer('Game', 'g'), key: 'likes' }
  expect(writeQuery(relationQuery(game, 'likes', { where: { age: 5 }, limit: 2 }))).toEqual({
    className: 'Player',
    where: { age: 5, $relatedTo },
    limit: 2,
  })
  expect(writeQuery(relationQuery(pointer('Game', 'g'), 'likes'))).toEqual({
    className: 'Game',
    redirectClassNameForKey: 'likes',
    where: { $relatedTo },
  })
})

test('sends only differences, and nothing without any', async () => {
  const { client, bodies } = await connect(() => ({ body: { updatedAt: iso } }))
  expect(await saveDocument(client, game, { ...game })).toEqual(game)
  expect(bodies()).toEqual([])
  await saveDocument(client, game, { ...game, title: 'Go', score: increment(2), owner: pointer('Player', 'p') })
  expect(bodies()).toEqual([
    ['PUT', '/server/classes/Game/g', { title: 'Go', score: { __op: 'Increment', amount: 2 } }],
  ])
})

test('the object after a save: known, sent and returned fields', async () => {
  const returned = { updatedAt: '2026-02-02T00:00:00.000Z', score: 3, settings: { deep: { count: 7 } } }
  const { client } = await connect(() => ({ body: returned }))
  const changes = {
    score: increment(2),
    title: unset(),
    'settings.theme': 'light',
    'settings.deep.count': increment(7),
    'settings.deep.a': unset(),
    'list.1': 9,
    at: new Date(iso),
  }
  const changed = await saveDocument(client, game, changes)
  const { title: _, ...rest } = game
  expect(changed).toEqual({
    ...rest,
    score: 3,
    updatedAt: new Date(returned.updatedAt),
    settings: { theme: 'light', deep: { count: 7 } },
    list: [1, 9],
    at: new Date(iso),
  })
  expect(changed && Object.isFrozen(changed)).toBe(true)
  expect(game.title).toBe('Chess')
})

test('an object that is only named says no more than is known', async () => {
  const { client, bodies } = await connect(() => ({ body: { updatedAt: iso, score: 5 } }))
  const changed = await saveDocument(client, pointer('Game', 'g'), { score: increment(4), title: 'Go' })
  expect(changed).toEqual({
    __type: 'Object',
    className: 'Game',
    objectId: 'g',
    updatedAt: new Date(iso),
    score: 5,
    title: 'Go',
  })
  expect(bodies()).toHaveLength(1)
})

test('a new object has what was sent and what the server added', async () => {
  const { client, bodies } = await connect(() => ({ status: 201, body: { objectId: 'n', createdAt: iso, level: 1 } }))
  const made = await createDocument(client, 'Game', {
    owner: game,
    tags: add('a'),
    skipped: undefined,
    likes: addToRelation(game),
  })
  expect(made).toEqual({
    __type: 'Object',
    className: 'Game',
    objectId: 'n',
    createdAt: new Date(iso),
    updatedAt: new Date(iso),
    level: 1,
    owner: pointer('Game', 'g'),
  })
  const likes = { __op: 'AddRelation', objects: [pointer('Game', 'g')] }
  expect(bodies()[0]?.[2]).toEqual({ owner: pointer('Game', 'g'), tags: { __op: 'Add', objects: ['a'] }, likes })
})

test.each(['_method', '_SessionToken', '_MasterKey', '__proto__x'])(
  'rejects a field called %s, which would change the request',
  async (name) => {
    const { client, bodies } = await connect(() => ({ body: {} }))
    await expect(createDocument(client, 'Game', { [name]: 'x' })).rejects.toThrow(name)
    await expect(saveDocument(client, game, { [name]: 'x' })).rejects.toThrow(ValidationError)
    expect(bodies()).toEqual([])
  },
)

test('accounts are not made as objects', async () => {
  const { client } = await connect(() => ({ body: {} }))
  await expect(createDocument(client, '_User', { username: 'a' })).rejects.toThrow(
    'Users can’t be created as documents',
  )
})

test('rejects an invalid query before it is sent', async () => {
  const { client, bodies } = await connect(() => ({ body: { results: [] } }))
  await expect(findDocuments(client, defineQuery('Game', { where: { score: Number.NaN } }))).rejects.toThrow(
    'where.score',
  )
  await expect(getDocument(client, 'Game', '')).rejects.toThrow('objectId')
  expect(bodies()).toEqual([])
})

test('R25: saves are sent 20 at a time, each with its own result', async () => {
  const { client, bodies } = await connect(({ body }) => ({
    body: JSON.parse(body).requests.map(({ body }: { body: { n: number } }) =>
      body.n === 21 ? { error: { code: 119, error: 'no' } } : { success: { objectId: `o${body.n}`, createdAt: iso } },
    ),
  }))
  const inputs = Array.from({ length: 45 }, (_, n) => ({ className: 'Game', fields: { n } }))
  const outcomes = await saveDocuments(client, [
    ...inputs.slice(0, 5),
    { object: game, changes: { score: 1 } },
    ...inputs.slice(5),
  ])
  expect(bodies().map(([, , { requests }]) => requests.length)).toEqual([20, 20, 5])
  expect(bodies()[0]?.[2].requests[3]).toEqual({ method: 'POST', path: '/server/classes/Game', body: { n: 3 } })
  expect(outcomes).toHaveLength(46)
  expect(outcomes?.[5]).toEqual({ status: 'success', data: game })
  expect(outcomes?.[22]).toMatchObject({ status: 'error', error: { code: 119, message: 'no' } })
  expect(outcomes?.[45]).toMatchObject({ status: 'success', data: { objectId: 'o44', n: 44 } })
})

test('a transaction is not divided, and its failure is the failure of the whole', async () => {
  const { client, bodies } = await connect(() => ({ status: 400, body: { code: 137, error: 'duplicate' } }))
  const inputs = Array.from({ length: 21 }, (_, n) => ({ className: 'Game', fields: { n } }))
  await expect(saveDocuments(client, inputs, { transaction: true })).rejects.toMatchObject({ code: 137 })
  expect(bodies().map(([, , body]) => [body.requests.length, body.transaction])).toEqual([[21, true]])
})

test('pages follow one another until there is no more', async () => {
  const pages = [
    { results: [{ objectId: 'a' }, { objectId: 'b' }], cursor: 'after b' },
    { results: [{ objectId: 'c' }], cursor: 'after c' },
    { results: [] },
  ]
  const { client, bodies } = await connect((_, count) => ({ body: pages[count - 1] }))
  const seen: string[][] = []
  for await (const page of findDocumentPages(client, defineQuery('Game', { where: { a: 1 }, limit: 2 }))) {
    seen.push(page.map(({ objectId }) => objectId))
  }
  expect(seen).toEqual([['a', 'b'], ['c']])
  expect(bodies().map(([, , body]) => body.cursor)).toEqual([true, 'after b', 'after c'])
})

test('a result may be as old as asked, but never older than the last write of this client', async () => {
  const { client, bodies } = await connect(({ method }) =>
    method === 'GET' ? { body: { results: [] } } : { body: { objectId: 'g', createdAt: iso } },
  )
  const query = defineQuery('Game', { maxStaleness: 30 })
  const askedFor = async (read: () => Promise<unknown>) => {
    await read()
    const [, url = ''] = bodies().at(-1) as [string, string]
    return Number(new URL(url, 'http://a').searchParams.get('maxStaleness'))
  }
  const find = () => findDocuments(client, query)
  // A page that was loaded a moment ago may be a reload after a write.
  expect(await askedFor(find)).toBeLessThan(25)
  client.internal.wroteAt = performance.now() - 60_000
  expect(await askedFor(find)).toBe(30)
  expect(await askedFor(() => countDocuments(client, query))).toBe(30)
  expect(await askedFor(() => findDocumentPage(client, query))).toBe(30)
  expect(await askedFor(() => getDocument(client, 'Game', 'g', { maxStaleness: 30 }))).toBe(30)
  await createDocument(client, 'Game', { title: 'Go' })
  expect(await askedFor(find)).toBeLessThan(25)
  await findDocuments(client, defineQuery('Game'))
  expect(bodies().at(-1)?.[1]).not.toContain('maxStaleness')
})
