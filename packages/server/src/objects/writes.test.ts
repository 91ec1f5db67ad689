import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { hasParts } from '../testing/openTestDatabase.ts'
import { serveTests } from '../testing/serveTests.ts'

let ann: { objectId: string; token: string }
let bob: { objectId: string; token: string }
const server = serveTests({ readOnlyMasterKey: 'only-looking' })
beforeAll(async () => {
  ann = await server.signUp('ann')
  bob = await server.signUp('bob')
})

const create = (className: string, body: object, options = {}) =>
  server.call('POST', `/classes/${className}`, body, options)
const made = async (className: string, body: object, options = {}) => {
  const answer = await create(className, body, options)
  if (answer.status !== 201) throw new Error(`no ${className}: ${answer.text}`)
  return answer.body.objectId as string
}
const update = (className: string, id: string, body: object, options = {}) =>
  server.call('PUT', `/classes/${className}/${id}`, body, options)
const remove = (className: string, id: string, options = {}) =>
  server.call('DELETE', `/classes/${className}/${id}`, undefined, options)
const get = async (className: string, id: string, options: object = { master: true }) =>
  (await server.call('GET', `/classes/${className}/${id}`, undefined, options)).body
const schema = async (className: string, body: object) => {
  const answer = await server.call('POST', `/schemas/${className}`, { className, ...body }, { master: true })
  if (answer.status !== 200) throw new Error(`no schema ${className}: ${answer.text}`)
}
const pointer = (className: string, objectId: string) => ({ __type: 'Pointer', className, objectId })

describe('create', () => {
  test('returns id and time with the location of the object, and nothing else', async () => {
    const answer = await create('Game', {
      title: 'Go',
      score: 3,
      createdAt: '2001-01-01T00:00:00.000Z',
      updatedAt: 'x',
    })
    expect(answer.status).toBe(201)
    expect(Object.keys(answer.body).sort()).toEqual(['createdAt', 'objectId'])
    expect(answer.body.objectId).toMatch(/^[A-Za-z0-9]{10}$/)
    expect(Date.now() - Date.parse(answer.body.createdAt as string)).toBeLessThan(60_000)
    expect(answer.headers.get('location')).toMatch(new RegExp(`/server/classes/Game/${answer.body.objectId}$`))
    const read = await get('Game', answer.body.objectId as string)
    expect(read).toMatchObject({ title: 'Go', score: 3, updatedAt: read.createdAt })
    expect(read.createdAt).toBe(answer.body.createdAt)
  })

  test('keeps every type and null, and makes values of operations', async () => {
    const object = {
      text: 'a "quoted" $1 text',
      flag: false,
      nothing: null,
      at: { __type: 'Date', iso: '2020-02-29T12:00:00.123Z' },
      place: { __type: 'GeoPoint', latitude: 1.5, longitude: -2 },
      bytes: { __type: 'Bytes', base64: 'AAEC' },
      owner: pointer('_User', ann.objectId),
      list: [1, 'two', { three: [pointer('Game', 'abc')] }],
      tree: { deep: { at: { __type: 'Date', iso: '2020-01-01T00:00:00.000Z' } } },
      file: { __type: 'File', name: 'a.txt', url: 'http://localhost/a.txt' },
      area: {
        __type: 'Polygon',
        coordinates: [
          [0, 0],
          [0, 1],
          [1, 1],
          [0, 0],
        ],
      },
    }
    const id = await made('Everything', {
      ...object,
      counted: { __op: 'Increment', amount: 2 },
      added: { __op: 'AddUnique', objects: [1, 1, 2] },
      removed: { __op: 'Remove', objects: [1] },
      deleted: { __op: 'Delete' },
    })
    const read = await get('Everything', id)
    expect(read).toMatchObject({ ...object, counted: 2, added: [1, 2], removed: [] })
    expect(read).not.toHaveProperty('deleted')
  })

  test.each([
    [{ objectId: 'abc' }, 105, 'objectId is an invalid field name.'],
    [{ id: 'abc' }, 105, 'id is an invalid field name.'],
    [{ $a: 1 }, 105, 'Invalid field name: $a.'],
    [{ _rperm: ['*'] }, 105, 'Invalid field name: _rperm.'],
    [{ 'a b': 1 }, 105, 'Invalid field name: a b.'],
    [{ o: { $x: 1 } }, 121, "Nested keys should not contain the '$' or '.' characters"],
    [{ at: { __type: 'Date', iso: 'never' } }, 111, 'This is not a valid Date'],
    [{ n: { __op: 'Increment', amount: '1; drop table x' } }, 107, 'incrementing must provide a number'],
    [{ n: { __op: 'Explode' } }, 108, 'The Explode operation is not supported here.'],
    [{ score: 'text' }, 111, 'schema mismatch for Game.score; expected Number but got String'],
    [
      { ACL: { '*unresolved': { read: true } } },
      123,
      'The ACL contains a user that is not saved yet. Save the user first.',
    ],
    [{ ACL: 5 }, 123, 'An ACL must be an object.'],
  ])('refuses %j with a clear error', async (body, code, error) => {
    const answer = await create('Game', body)
    expect([answer.status, answer.body.code, answer.body.error]).toEqual([400, code, error])
  })

  test('rejects invalid class names', async () => {
    for (const name of ['1abc', 'a-b', '_Foo', 'pg_class"', 'constructor', '__proto__']) {
      const answer = await create(encodeURIComponent(name), { a: 1 }, { master: true })
      expect([answer.status, answer.body.code], name).toEqual([400, expect.any(Number)])
    }
    expect(await server.context.db.query(sql`select 1 from pg_class where relname = 'pg_class"'`)).toEqual([])
  })

  test('P3: a class may be called like a table of the catalogue and reads its own rows', async () => {
    const id = await made('pg_class', { relname: 'mine' })
    expect(await get('pg_class', id)).toMatchObject({ relname: 'mine' })
    expect((await update('pg_class', id, { relname: 'yours' })).status).toBe(200)
    expect((await remove('pg_class', id)).status).toBe(200)
  })

  test('P1: names that reach a prototype are refused at any depth', async () => {
    for (const body of [
      '{"__proto__":{"a":1}}',
      '{"a":{"constructor":1}}',
      '{"a":[{"b":{"prototype":1}}]}',
      '{"a.__proto__.b":1}',
      '{"a":{"\\u005f_proto__":{"polluted":1}}}',
    ]) {
      const answer = await create('Game', body as never)
      expect([answer.status, answer.body.code], body).toEqual([400, 105])
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('fills and returns defaults; rejects an object without a required field', async () => {
    await schema('Ruled', {
      fields: {
        name: { type: 'String', required: true },
        level: { type: 'Number', defaultValue: 7 },
      },
    })
    const answer = await create('Ruled', { name: 'x' })
    expect(answer.body).toMatchObject({ level: 7 })
    const id = answer.body.objectId as string
    expect(await get('Ruled', id)).toMatchObject({ name: 'x', level: 7 })
    expect((await create('Ruled', { level: 1 })).body).toMatchObject({ code: 142, error: 'name is required' })
    expect((await create('Ruled', { name: null })).body).toMatchObject({ code: 142, error: 'name is required' })
    expect((await update('Ruled', id, { name: { __op: 'Delete' } })).body.code).toBe(142)
    expect((await update('Ruled', id, { level: 8 })).status).toBe(200)
  })

  test.skipIf(hasParts)('refuses a second place in one class, and a value that a unique index holds', async () => {
    const place = { __type: 'GeoPoint', latitude: 0, longitude: 0 }
    await made('Placed', { a: place })
    expect((await create('Placed', { b: place })).body.code).toBe(111)
    await schema('Unique', { fields: { slug: { type: 'String' } }, indexes: { bySlug: { slug: 1, unique: true } } })
    const id = await made('Unique', { slug: 'one' })
    const other = await made('Unique', { slug: 'two' })
    const expected = { code: 137, error: 'A duplicate value for a field with unique values was provided' }
    expect((await create('Unique', { slug: 'one' })).body).toMatchObject(expected)
    expect((await update('Unique', other, { slug: 'one' })).body).toMatchObject(expected)
    expect((await update('Unique', id, { slug: 'one' })).status).toBe(200)
  })
})

describe('update', () => {
  test('returns the time and the results of operations, at any depth and nested', async () => {
    const id = await made('Counter', { n: 1, list: [1, 2], o: { k: 1, deep: { er: { list: [1] } } }, s: 'a' })
    const answer = await update('Counter', id, {
      n: { __op: 'Increment', amount: 2.5 },
      list: { __op: 'Add', objects: [2, 3] },
      'o.k': { __op: 'Increment', amount: 4 },
      'o.deep.er.list': { __op: 'AddUnique', objects: [1, 2] },
      'o.z.new': 'q',
      s: 'b',
    })
    expect(answer.status).toBe(200)
    const { updatedAt, ...rest } = answer.body
    expect(rest).toEqual({ n: 3.5, list: [1, 2, 2, 3], o: { k: 5, deep: { er: { list: [1, 2] } } } })
    expect(await get('Counter', id)).toMatchObject({
      updatedAt,
      s: 'b',
      o: { k: 5, deep: { er: { list: [1, 2] } }, z: { new: 'q' } },
    })
    expect((await update('Counter', id, { list: { __op: 'Remove', objects: [2] } })).body.list).toEqual([1, 3])
    expect((await update('Counter', id, { 'o.k': { __op: 'Delete' }, s: { __op: 'Delete' }, n: null })).status).toBe(
      200,
    )
    const read = await get('Counter', id)
    expect(read).not.toHaveProperty('s')
    expect([read.n, (read.o as { k?: number }).k]).toEqual([null, undefined])
  })

  test('many increments at once lose none', async () => {
    const id = await made('Counter', { n: 0 })
    await Promise.all(Array.from({ length: 20 }, () => update('Counter', id, { n: { __op: 'Increment', amount: 1 } })))
    expect((await get('Counter', id)).n).toBe(20)
  })

  test('an object that is not there, or a class that is not, is not found', async () => {
    for (const [className, id] of [
      ['Counter', 'nosuch'],
      ['NoSuchClass', 'x'],
      ['Counter', "' or 1=1 --"],
    ] as const) {
      const answer = await update(className, encodeURIComponent(id), { n: 1 })
      expect([answer.status, answer.body]).toEqual([
        404,
        expect.objectContaining({ code: 101, error: 'Object not found.' }),
      ])
      expect((await remove(className, encodeURIComponent(id))).body).toMatchObject({
        code: 101,
        error: 'Object not found.',
      })
    }
  })

  test('widens the class only for whom the object lets write it', async () => {
    const id = await made('Narrow', { a: 1, ACL: { [ann.objectId]: { read: true, write: true }, '*': { read: true } } })
    const fields = () => server.context.classes.get('Narrow').fields
    expect((await update('Narrow', id, { b: 1 }, { token: bob.token })).body.code).toBe(101)
    expect(fields().has('b')).toBe(false)
    expect((await update('Narrow', id, { b: 1 }, { token: ann.token })).status).toBe(200)
    expect(fields().has('b')).toBe(true)
  })

  test('P5: an operation reveals nothing without read access', async () => {
    const id = await made('Blind', { secret: 41, ACL: { [bob.objectId]: { write: true } } })
    const answer = await update('Blind', id, { secret: { __op: 'Increment', amount: 1 } }, { token: bob.token })
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['updatedAt']])
    expect((await get('Blind', id)).secret).toBe(42)
  })
})

test('a default polygon is returned closed, as it reads back', async () => {
  const open = [
    [0, 0],
    [0, 1],
    [1, 1],
  ]
  const area = { type: 'Polygon', defaultValue: { __type: 'Polygon', coordinates: open } }
  await schema('Field', { fields: { area } })
  const { body } = await create('Field', {})
  expect(body.area).toEqual({ __type: 'Polygon', coordinates: [...open, [0, 0]] })
  expect((await get('Field', body.objectId as string)).area).toEqual(body.area)
})

test('P5: an operation does not reveal the value of a hidden field', async () => {
  const all = { '*': true }
  const open = { find: all, get: all, count: all, create: all, update: all, delete: all, addField: all }
  const protectedFields = { '*': ['hidden'], [ann.objectId]: [] }
  await schema('Shy', { fields: { hidden: { type: 'Number' } }, classLevelPermissions: { ...open, protectedFields } })
  const id = await made('Shy', { hidden: 41 }, { master: true })
  const step = { hidden: { __op: 'Increment', amount: 1 }, seen: { __op: 'Increment', amount: 1 } }
  const answer = await update('Shy', id, step, { token: bob.token })
  expect([answer.status, answer.body.hidden, answer.body.seen]).toEqual([200, undefined, 1])
  expect((await update('Shy', id, step, { token: ann.token })).body).toMatchObject({ hidden: 43, seen: 2 })
})

test('P5: the response to a new object reveals no default of a hidden field, and no hook’s count in it', async () => {
  const all = { '*': true }
  const permissions = { find: all, get: all, create: all, protectedFields: { '*': ['limit', 'score'] } }
  const fields = { limit: { type: 'Number', defaultValue: 777 }, score: { type: 'Number' }, seen: { type: 'Number' } }
  await schema('Quiet', { fields, classLevelPermissions: permissions })
  const step = { __op: 'Increment', amount: 42 }
  expect(Object.keys((await create('Quiet', { seen: step })).body).sort()).toEqual(['createdAt', 'objectId', 'seen'])
  const saved: object[] = []
  const { hooks } = server.context.registry
  hooks.set('beforeSave Quiet', [async () => ({ object: { score: step as never } })])
  hooks.set('afterSave Quiet', [async ({ object }) => void saved.push(object ?? {})])
  expect(Object.keys((await create('Quiet', {})).body).sort()).toEqual(['createdAt', 'objectId'])
  expect((await create('Quiet', {}, { master: true })).body).toMatchObject({ limit: 777, score: 42 })
  hooks.clear()
  expect(saved).toMatchObject([
    { limit: 777, score: 42 },
    { limit: 777, score: 42 },
  ])
})

test('pointers let the named change an object, and widen its class by it, but not make one', async () => {
  const permissions = { find: {}, create: {}, writeUserFields: ['owner'] }
  const fields = { owner: { type: 'Pointer', targetClass: '_User' }, crew: { type: 'Array' } }
  await schema('Owned', { fields, classLevelPermissions: { ...permissions, delete: { pointerFields: ['crew'] } } })
  expect((await create('Owned', { owner: pointer('_User', ann.objectId) }, { token: ann.token })).body.code).toBe(119)
  const id = await made(
    'Owned',
    { owner: pointer('_User', ann.objectId), crew: [pointer('_User', bob.objectId)] },
    { master: true },
  )
  expect((await update('Owned', id, { fresh: 1 }, { token: bob.token })).body.code).toBe(101)
  expect((await update('Owned', id, { fresh: 1 })).body.code).toBe(101)
  expect((await update('Owned', id, { fresh: 1 }, { token: ann.token })).status).toBe(200)
  expect((await remove('Owned', id)).body.code).toBe(101)
  expect((await remove('Owned', id, { token: bob.token })).status).toBe(200)
})

describe('relations', () => {
  test('come and go with the object, in order, without doubles', async () => {
    const [one, two, three] = [await made('Item', {}), await made('Item', {}), await made('Item', {})] as const
    const relate = (...ids: string[]) => ({ __op: 'AddRelation', objects: ids.map((id) => pointer('Item', id)) })
    const unrelate = (...ids: string[]) => ({ __op: 'RemoveRelation', objects: ids.map((id) => pointer('Item', id)) })
    const box = await made('Box', { items: relate(one, one) })
    const related = async () =>
      (
        await server.context.db.query<{ relatedId: string }>(
          sql`select "relatedId" from public."_Join:items:Box" where "owningId" = ${box}`,
        )
      )
        .map((row) => row.relatedId)
        .sort()
    expect(await related()).toEqual([one])
    expect((await update('Box', box, { items: relate(one, two) })).status).toBe(200)
    expect(await related()).toEqual([one, two].sort())
    const batch = { __op: 'Batch', ops: [relate(three), unrelate(one)] }
    expect((await update('Box', box, { items: batch, name: 'b' })).status).toBe(200)
    expect(await related()).toEqual([two, three].sort())
    expect(
      (await update('Box', box, { items: { __op: 'AddRelation', objects: [pointer('Game', 'x')] } })).body.code,
    ).toBe(111)
    expect((await remove('Box', box)).status).toBe(200)
    expect(await related()).toEqual([])
  })
})

describe('the read-only master key', () => {
  test('P10: reads everything and writes nothing, by no way', async () => {
    const headers = { 'X-Parse-Master-Key': 'only-looking' }
    const id = await made('Secret', { a: 1, ACL: {} })
    expect((await server.call('GET', '/config', undefined, { headers })).body).toHaveProperty('masterKeyOnly')
    expect(await get('Secret', id, { headers })).toMatchObject({ a: 1 })
    const writes: [string, string, object?][] = [
      ['POST', '/classes/Secret', { a: 2 }],
      ['PUT', `/classes/Secret/${id}`, { a: 2 }],
      ['DELETE', `/classes/Secret/${id}`],
      ['POST', '/users', { username: 'x', password: 'y' }],
      ['PUT', `/users/${ann.objectId}`, { nick: 'x' }],
      ['DELETE', `/users/${ann.objectId}`],
      ['POST', '/loginAs', { userId: ann.objectId }],
      ['PUT', '/config', { params: { a: 1 } }],
      ['POST', '/schemas/Other', { className: 'Other' }],
      ['DELETE', '/purge/Secret'],
      ['DELETE', '/schemas/Secret'],
      ['POST', '/functions/anything', {}],
      ['POST', '/installations', { installationId: 'i', deviceType: 'web' }],
    ]
    for (const [method, path, body] of writes) {
      const answer = await server.call(method, path, body, { headers })
      expect([answer.status, answer.body.code], `${method} ${path}`).toEqual([400, 119])
    }
    const batch = await server.call(
      'POST',
      '/batch',
      { requests: [{ method: 'POST', path: '/server/classes/Secret', body: {} }] },
      { headers },
    )
    expect(batch.body).toMatchObject([{ error: { code: 119 } }])
    expect(await get('Secret', id)).toMatchObject({ a: 1 })
  })
})

describe('config', () => {
  test('is changed by the master key, name by name; some of it is for its eyes alone', async () => {
    const put = (body: object, options = {}) => server.call('PUT', '/config', body, options)
    expect((await put({ params: { a: 1 } })).status).toBe(403)
    const params = {
      welcome: 'hello',
      limits: { daily: [1, 2] },
      secret: 'k',
      since: { __type: 'Date', iso: '2020-01-01T00:00:00.000Z' },
    }
    expect((await put({ params, masterKeyOnly: { secret: true } }, { master: true })).body).toEqual({ result: true })
    const { secret, ...open } = params
    expect((await server.call('GET', '/config')).body).toEqual({ params: open })
    expect((await server.call('GET', '/config', undefined, { master: true })).body).toMatchObject({
      params,
      masterKeyOnly: { secret: true, welcome: false },
    })
    await put({ params: { limits: { __op: 'Delete' }, welcome: 'bye' } }, { master: true })
    expect((await server.call('GET', '/config')).body).toEqual({ params: { welcome: 'bye', since: params.since } })
    expect((await put({ params: { 'a b': 1 } }, { master: true })).body.code).toBe(105)
    expect((await put({ params: { constructor: 1 } }, { master: true })).body.code).toBe(105)
    expect((await put({ params: 'x' }, { master: true })).body.code).toBe(107)
  })
})

describe('installations', () => {
  const post = (body: object, options = {}) => server.call('POST', '/installations', body, options)
  test('one device is one row, for any number of concurrent registrations', async () => {
    const first = await post({ installationId: 'AAA-1', deviceType: 'web' })
    expect(first.status).toBe(201)
    const answers = await Promise.all([1, 2, 3, 4].map((n) => post({ installationId: 'bbb', deviceType: 'web', n })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
    const again = await post({ installationId: 'aaa-1', deviceType: 'web', channels: ['news'] })
    expect([again.status, again.body.objectId]).toEqual([200, first.body.objectId])
    expect(await get('_Installation', first.body.objectId as string)).toMatchObject({
      installationId: 'aaa-1',
      channels: ['news'],
    })
  })

  test('rejects input that is incomplete or contradicts the stored device', async () => {
    expect((await post({ deviceType: 'web' })).body.code).toBe(135)
    expect((await post({ installationId: 'ccc' })).body.code).toBe(135)
    expect((await post({ installationId: { $ne: null }, deviceType: 'web' })).body.code).toBe(111)
    const { body } = await post({ installationId: 'ddd', deviceType: 'ios' })
    expect((await post({ installationId: 'ddd', deviceType: 'web' })).body.code).toBe(136)
    const put = (fields: object) => server.call('PUT', `/installations/${body.objectId}`, fields)
    expect((await put({ installationId: 'eee' })).body.code).toBe(136)
    expect((await put({ badge: 3 })).status).toBe(200)
    const token = 'ABCDEF'.repeat(11).slice(0, 64)
    await post({ installationId: 'e1', deviceType: 'ios', deviceToken: token })
    const moved = await post({ installationId: 'e2', deviceType: 'ios', deviceToken: token })
    expect(moved.status).toBe(201)
    const rows = await server.context.db.query(
      sql`select "installationId" from public."_Installation" where "deviceToken" = ${token.toLowerCase()}`,
    )
    expect(rows).toEqual([{ installationId: 'e2' }])
  })

  test('P11: clients neither list nor delete devices', async () => {
    const { body } = await post({ installationId: 'fff', deviceType: 'web' })
    for (const path of ['/installations', '/classes/_Installation'])
      expect((await server.call('GET', path)).body.code, path).toBe(119)
    expect((await server.call('DELETE', `/installations/${body.objectId}`)).body.code).toBe(119)
    expect((await server.call('DELETE', `/installations/${body.objectId}`, undefined, { master: true })).status).toBe(
      200,
    )
  })
})
