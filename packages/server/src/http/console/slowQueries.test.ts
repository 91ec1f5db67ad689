import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { openConsole } from '../../testing/openConsole.ts'

type Slow = {
  objectId: string
  className: string
  operation: string
  shape: string
  order: string
  count: number
  average: number
  slowest: number
  index?: { name: string; fields: Record<string, unknown> }
}

const office = openConsole()
const { root, watcher, helper, ann, ask } = office
const master = { master: true }
beforeAll(async () => {
  // Every query counts as slow.
  await office.startWith({ slowQueries: { threshold: 0, shapes: 6 } })
  const point = { __type: 'GeoPoint', latitude: 1, longitude: 1 }
  const author = { __type: 'Pointer', className: '_User', objectId: root.objectId }
  const fields = { title: 'a', score: 1, open: true, tags: ['a'], place: point, author, votes: { [ann.objectId]: 1 } }
  const { status, text } = await office.server.call('POST', '/classes/Post', fields, master)
  if (status !== 201) throw new Error(text)
})
beforeEach(async () => {
  await office.renew()
  office.server.context.services.slowQueries?.clear()
})
afterAll(office.stop)

const find = async (where: object, more: object = {}, className = 'Post') => {
  const answer = await office.server.call('POST', `/classes/${className}`, { _method: 'GET', where, ...more }, master)
  expect(answer.status, answer.text).toBe(200)
}
const list = async (className = 'Post', user = watcher) => {
  const answer = await ask(user, 'GET', '/console/slowQueries')
  expect(answer.status, answer.text).toBe(200)
  const all = answer.body.results as Slow[]
  return { text: answer.text, body: answer.body, results: all.filter((query) => query.className === className) }
}
const suggested = async (where: object, more: object = {}, className = 'Post') => {
  office.server.context.services.slowQueries?.clear()
  await find(where, more, className)
  return (await list(className)).results[0]?.index
}

test('slow queries are recorded by shape, without any value', async () => {
  await find({ title: 'a secret', score: { $gt: 424242 } }, { order: '-createdAt', count: 1 })
  // The same shape, its conditions the other way around.
  await find({ score: { $gt: 7 }, title: 'another secret' }, { order: '-createdAt' })
  await find({ [`votes.${ann.objectId}`]: 3 })
  const { text, body, results } = await list()
  expect(body).toMatchObject({ threshold: 0, since: expect.any(String) })
  const shape = 'score > ? and title = ?'
  expect(results.find(({ operation, order }) => operation === 'find' && order === '-createdAt')).toEqual({
    objectId: expect.any(String),
    className: 'Post',
    operation: 'find',
    shape,
    order: '-createdAt',
    count: 2,
    average: expect.any(Number),
    slowest: expect.any(Number),
    lastSeen: expect.any(String),
    hasPlan: true,
    index: { name: 'byTitleAndCreatedAt', fields: { title: 1, createdAt: -1 } },
  })
  expect(results.find(({ operation }) => operation === 'count')).toMatchObject({
    shape,
    order: '',
    count: 1,
    // Counting needs no order.
    index: { fields: { title: 1, score: 1 } },
  })
  // Keys of an object may be ids of people.
  expect(results.map((query) => query.shape)).toContain('votes.* = ?')
  for (const kept of [text, JSON.stringify([...(office.server.context.services.slowQueries?.values() ?? [])])]) {
    expect(kept).not.toMatch(/secret|424242/)
    expect(kept).not.toContain(ann.objectId)
  }
})

test('as many shapes are kept as the setting says, those that cost the most', async () => {
  const { services } = office.server.context
  await find({ title: 'kept' })
  const costly = [...(services.slowQueries?.values() ?? [])][0]
  if (!costly) throw new Error('The query was not recorded.')
  costly.total = 1e9
  const fields = ['title', 'score', 'open', 'createdAt', 'updatedAt', 'author', 'objectId']
  for (const one of fields) await find({}, { order: `${one}` })
  expect(services.slowQueries?.size).toBe(6)
  expect((await list()).results[0]).toMatchObject({ shape: 'title = ?', operation: 'find' })
  await find({ title: 'again' })
  expect((await list()).results[0]).toMatchObject({ shape: 'title = ?', count: 2 })
})

test('the index: equality first, then the order, else a range; lists, places and texts alone', async () => {
  const author = { __type: 'Pointer', className: '_User', objectId: root.objectId }
  expect((await suggested({ author, title: 'x' }))?.fields).toEqual({ author: 1, title: 1 })
  const listed = await suggested({ author: { $in: [author, author] }, title: 'x' }, { order: 'score,-createdAt' })
  expect(listed).toEqual({
    name: 'byTitleAndAuthorAndScoreAndCreatedAt',
    fields: { title: 1, author: 1, score: 1, createdAt: -1 },
  })
  expect(Object.keys(listed?.fields ?? {})[0]).toBe('title')
  expect((await suggested({ score: { $gt: 1, $lt: 9 } }))?.fields).toEqual({ score: 1 })
  expect((await suggested({ open: true }, { order: '-score' }))?.fields).toEqual({ open: 1, score: -1 })
  expect((await suggested({ tags: 'a' }))?.fields).toEqual({ tags: 1 })
  const $nearSphere = { __type: 'GeoPoint', latitude: 1, longitude: 1 }
  expect((await suggested({ place: { $nearSphere, $maxDistance: 0.1 } }))?.fields).toEqual({ place: 1 })
  expect((await suggested({ title: { $text: { $search: { $term: 'word' } } } }))?.fields).toEqual({ title: 'text' })
})

test('no index is suggested where none would help', async () => {
  for (const where of [
    { objectId: { $in: ['a', 'b'] } },
    { open: true },
    { $or: [{ title: 'a' }, { score: 1 }] },
    { title: { $ne: 'a' } },
    { [`votes.${ann.objectId}`]: 1 },
    {},
  ])
    expect.soft(await suggested(where), JSON.stringify(where)).toBeUndefined()
  expect(await suggested({}, { order: '-objectId' })).toBeUndefined()
  // Columns of the server's own have theirs.
  expect(await suggested({ name: 'editors' }, { order: '-createdAt' }, '_Role')).toBeUndefined()
})

test('an index that exists already is not suggested, one made by hand included', async () => {
  const { server } = office
  const indexes = {
    byTitleAndScore: { title: 1, score: -1 },
    byTags: { tags: 1 },
    storyText: { title: 'text' },
  }
  expect((await ask(root, 'PUT', '/schemas/Post', { indexes })).status).toBe(200)
  expect(await suggested({ title: 'x' })).toBeUndefined()
  expect(await suggested({ title: 'x', score: 1 })).toBeUndefined()
  expect(await suggested({ title: 'x' }, { order: '-score' })).toBeUndefined()
  expect(await suggested({ title: 'x' }, { order: 'score' })).toBeUndefined()
  expect(await suggested({ tags: 'a' })).toBeUndefined()
  expect(await suggested({ title: { $text: { $search: { $term: 'word' } } } })).toBeUndefined()
  expect((await suggested({ score: 1 }))?.fields).toEqual({ score: 1 })
  expect((await suggested({ title: 'x' }, { order: 'createdAt' }))?.fields).toEqual({ title: 1, createdAt: 1 })
  await server.context.db.query(sql`create index "by hand" on public."Post" (score desc, "createdAt")`)
  expect(await suggested({ score: 1 })).toBeUndefined()
  expect(await suggested({}, { order: '-score,createdAt' })).toBeUndefined()
  expect((await suggested({}, { order: 'score,createdAt' }))?.fields).toEqual({ score: 1, createdAt: 1 })
  // A part of the rows is another matter.
  await server.context.db.query(sql`create index "of some" on public."Post" (author) where score > 5`)
  expect((await suggested({ author: { __type: 'Pointer', className: '_User', objectId: 'x' } }))?.fields).toEqual({
    author: 1,
  })
})

test('a suggestion is made by the schema API and is gone then', async () => {
  const index = await suggested({ updatedAt: { $gt: { __type: 'Date', iso: '2020-01-01T00:00:00.000Z' } } })
  if (!index) throw new Error('No index was suggested.')
  const change = { indexes: { [index.name]: index.fields } }
  expect((await ask(root, 'PUT', '/schemas/Post', change)).status).toBe(200)
  const { results } = await list()
  expect(results[0]).toMatchObject({ shape: 'updatedAt > ?', count: 1 })
  expect(results[0]).not.toHaveProperty('index')
})

test('the plan of a shape is that of any values, and holds none', async () => {
  await office.server.call('POST', '/classes/Planned', { title: 'a', size: 1 }, master)
  const where = { title: 'a secret', size: { $lt: 424242 } }
  await office.server.call(
    'GET',
    `/classes/Planned?where=${encodeURIComponent(JSON.stringify(where))}&order=size&limit=7`,
  )
  await find({}, {}, 'Planned')
  const { results } = await list('Planned')
  expect(results).toHaveLength(2)
  for (const { objectId } of results) {
    // Twice: nothing is left behind by the first.
    for (let time = 0; time < 2; time++) {
      const { status, body, text } = await ask(watcher, 'GET', `/console/slowQueries/${objectId}/plan`)
      expect(status, text).toBe(200)
      expect(body.plan).toMatch(/Scan.*"Planned"/)
      expect(text).not.toMatch(/secret|424242/)
    }
  }
  const left = await office.server.context.db.query(sql`select 1 from pg_prepared_statements where name like 'plan-%'`)
  expect(left).toEqual([])
  // A class that changed since.
  const fields = { size: { __op: 'Delete' } }
  expect((await office.server.call('PUT', '/schemas/Planned', { fields }, master)).status).toBe(200)
  const id = results.find(({ shape }) => shape !== '')?.objectId
  const gone = await ask(watcher, 'GET', `/console/slowQueries/${id}/plan`)
  expect([gone.status, gone.body.code]).toEqual([404, 101])
  const after = (await list('Planned')).results.find(({ objectId }) => objectId === id)
  expect(after).not.toHaveProperty('index')
})

test('administrators and viewers read it; support does not, and others find nothing', async () => {
  await find({ title: 'x' })
  const { results } = await list('Post', root)
  for (const path of ['/console/slowQueries', `/console/slowQueries/${results[0]?.objectId}/plan`]) {
    expect((await ask(root, 'GET', path)).status).toBe(200)
    expect((await ask(helper, 'GET', path)).body.reason).toBe('operatorForbidden')
    expect((await ask(ann, 'GET', path)).status).toBe(404)
    expect((await ask(undefined, 'GET', path)).status).toBe(404)
    // Without the header of the console an operator is an ordinary user.
    expect((await ask(root, 'GET', path, undefined, {})).status).toBe(404)
  }
  expect((await ask(root, 'GET', '/console/slowQueries/nosuch/plan')).status).toBe(404)
})

test('fast queries are not recorded, and none if the setting is off', async () => {
  const { config, services } = office.server.context
  const before = { ...config.slowQueries }
  config.slowQueries.threshold = 3_600_000
  await find({ title: 'x' })
  expect(services.slowQueries?.size).toBe(0)
  Object.assign(config.slowQueries, { threshold: 0, shapes: 0 })
  await find({ title: 'x' })
  expect(services.slowQueries?.size).toBe(0)
  Object.assign(config.slowQueries, before)
})
