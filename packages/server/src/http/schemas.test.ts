import Parse from 'parse/node'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer } from '../testing/createTestServer.ts'
import { createSchemaCalls, every, master } from '../testing/objects/createSchemaCalls.ts'
import { hasParts } from '../testing/openTestDatabase.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests({ readOnlyMasterKey: 'read only' })
beforeAll(async () => {
  const { initialize } = Parse as unknown as {
    initialize(appId: string, javascriptKey: undefined, masterKey: string): void
  }
  initialize(server.appId, undefined, server.masterKey)
  Parse.serverURL = server.serverUrl
})

let count = 0
let name = ''
beforeEach(() => {
  name = `Class${++count}`
})

const { insert, sql, post, put, get, drop } = createSchemaCalls(
  () => server,
  () => name,
)

describe('the public client', () => {
  test('Parse.Schema makes, reads, changes, purges and drops a class with every type', async () => {
    const schema = new Parse.Schema(name)
    schema
      .addString('text', { defaultValue: 'hello', required: true })
      .addNumber('number', { defaultValue: 5 })
      .addBoolean('yes', { defaultValue: false })
      .addDate('date', { defaultValue: new Date('2020-01-01T00:00:00.000Z') as never })
      .addFile('file')
      .addGeoPoint('place', { defaultValue: new Parse.GeoPoint(1, 2) })
      .addPolygon('area', {
        defaultValue: new Parse.Polygon([
          [0, 0],
          [0, 1],
          [1, 1],
        ] as never),
      })
      .addArray('list', { defaultValue: [1, 'two'] })
      .addObject('object', { defaultValue: { a: 1 } })
      .addBytes('bytes')
      .addPointer('owner', '_User')
      .addRelation('friends', '_User')
      .addIndex('byText', { text: 1, number: -1 } as never)
    const made = (await schema.save()) as unknown as Record<string, unknown>
    const fields = {
      objectId: { type: 'String' },
      createdAt: { type: 'Date' },
      updatedAt: { type: 'Date' },
      ACL: { type: 'ACL' },
      text: { type: 'String', defaultValue: 'hello', required: true },
      number: { type: 'Number', defaultValue: 5 },
      yes: { type: 'Boolean', defaultValue: false },
      date: { type: 'Date', defaultValue: { __type: 'Date', iso: '2020-01-01T00:00:00.000Z' } },
      file: { type: 'File' },
      place: { type: 'GeoPoint', defaultValue: { __type: 'GeoPoint', latitude: 1, longitude: 2 } },
      area: {
        type: 'Polygon',
        defaultValue: {
          __type: 'Polygon',
          coordinates: [
            [0, 0],
            [0, 1],
            [1, 1],
          ],
        },
      },
      list: { type: 'Array', defaultValue: [1, 'two'] },
      object: { type: 'Object', defaultValue: { a: 1 } },
      bytes: { type: 'Bytes' },
      owner: { type: 'Pointer', targetClass: '_User' },
      friends: { type: 'Relation', targetClass: '_User' },
    }
    expect(made).toEqual({
      className: name,
      fields,
      classLevelPermissions: { ...every({ '*': true }), protectedFields: { '*': [] } },
      indexes: { byText: { text: 1, number: -1 } },
    })
    expect(await new Parse.Schema(name).get()).toEqual(made)
    expect((await Parse.Schema.all()).map((one) => (one as unknown as { className: string }).className)).toContain(name)

    await expect(new Parse.Schema(name).save()).rejects.toMatchObject({
      code: 103,
      message: `Class ${name} already exists.`,
    })

    const change = new Parse.Schema(name)
    change
      .addString('more')
      .deleteField('text')
      .deleteField('friends')
      .setCLP({ find: { requiresAuthentication: true } } as never)
    const changed = (await change.update()) as unknown as typeof made
    const { text: _text, friends: _friends, ...left } = fields
    expect(changed).toEqual({
      indexes: {},
      className: name,
      fields: { ...left, more: { type: 'String' } },
      classLevelPermissions: { ...every({}), find: { requiresAuthentication: true }, protectedFields: {} },
    })

    await insert('one')
    await expect(new Parse.Schema(name).delete()).rejects.toMatchObject({
      code: 255,
      message: `Class ${name} is not empty, contains 1 objects, cannot drop schema.`,
    })
    await new Parse.Schema(name).purge()
    expect(await sql(`select * from public."${name}"`)).toEqual([])
    await new Parse.Schema(name).delete()
    await expect(new Parse.Schema(name).get()).rejects.toMatchObject({
      code: 103,
      message: `Class ${name} does not exist.`,
    })
    expect(await sql(`select 1 from pg_tables where tablename like '%${name}'`)).toEqual([])
    await new Parse.Schema(name).save()
  })

  test('setCLP({}) leaves everything to the master key; without it the permissions stay', async () => {
    await post({})
    const schema = new Parse.Schema(name)
    schema.setCLP({} as never)
    expect(await schema.update()).toMatchObject({ classLevelPermissions: every({}) })
    expect((await put({ fields: { a: { type: 'String' } } })).body.classLevelPermissions).toEqual({
      ...every({}),
      protectedFields: {},
    })
  })

  test('a client that drops every class sees none of them, though the server keeps what it needs', async () => {
    const other = await createTestServer()
    try {
      const call = (method: string, path: string, body?: object) => other.call(method, path, body, master)
      const { objectId } = await other.signUp('kept', { nick: 'Nick' })
      expect((await call('DELETE', '/schemas/_User')).body).toMatchObject({
        code: 255,
        error: 'Class _User is not empty, contains 1 objects, cannot drop schema.',
      })
      await other.call('DELETE', `/users/${objectId}`, undefined, master)
      const classes = (await call('GET', '/schemas')).body.results as { className: string }[]
      expect(classes.map(({ className }) => className).sort()).toEqual(['_Role', '_Session', '_User'])
      for (const { className } of classes) expect((await call('DELETE', `/schemas/${className}`)).body).toEqual({})
      expect((await call('GET', '/schemas')).body).toEqual({ results: [] })

      const { token } = await other.signUp('again')
      expect((await other.call('POST', '/users', { username: 'AGAIN', password: 'x' })).body.code).toBe(202)
      expect((await other.call('GET', '/users/me', undefined, { token })).body.username).toBe('again')
      const now = (await call('GET', '/schemas')).body.results as { className: string; fields: object }[]
      expect(now.map(({ className }) => className).sort()).toEqual(['_Session', '_User'])
      // Fields of the application's own went with the class.
      expect(now.find(({ className }) => className === '_User')?.fields).not.toHaveProperty('nick')
      expect((await call('POST', '/schemas/_Role', { fields: { rank: { type: 'Number' } } })).body).toMatchObject({
        className: '_Role',
        fields: {
          name: { type: 'String' },
          rank: { type: 'Number' },
          users: { type: 'Relation', targetClass: '_User' },
        },
      })
    } finally {
      await other.stop()
    }
  })
})

test('system classes show the fields that clients know them by', async () => {
  name = '_User'
  expect((await get()).body.fields).toMatchObject({
    username: { type: 'String' },
    password: { type: 'String' },
    email: { type: 'String' },
    emailVerified: { type: 'Boolean' },
    authData: { type: 'Object' },
  })
  name = '_Installation'
  expect((await post({ fields: { flavour: { type: 'String' } } })).body.fields).toMatchObject({
    deviceToken: { type: 'String' },
    flavour: { type: 'String' },
  })
  expect((await drop()).body).toEqual({})
})

test('only the master key, by every form of the request', async () => {
  const { token } = await server.signUp('nobody')
  for (const [method, path] of [
    ['GET', '/schemas'],
    ['GET', '/schemas/_User'],
    ['POST', '/schemas/Mine'],
    ['POST', '/schemas'],
    ['PUT', '/schemas/_User'],
    ['DELETE', '/schemas/_User'],
    ['DELETE', '/purge/_User'],
  ] as const) {
    for (const options of [{}, { token }]) {
      const { status, body } = await server.call(method, path, method === 'GET' ? undefined : {}, options)
      expect([method, path, status, body.error]).toEqual([method, path, 403, 'unauthorized: master key is required'])
    }
  }
})

test('P10: the read-only master key reads schemas and changes none', async () => {
  const readOnly = { headers: { 'X-Parse-Master-Key': 'read only' } }
  expect((await server.call('GET', '/schemas/_User', undefined, readOnly)).status).toBe(200)
  for (const [method, path] of [
    ['POST', '/schemas/Mine'],
    ['PUT', '/schemas/_User'],
    ['DELETE', '/schemas/_User'],
    ['DELETE', '/purge/_User'],
    ['POST', '/applySchema'],
  ] as const) {
    const { status, body } = await server.call(method, path, {}, readOnly)
    expect([method, path, status, body.code]).toEqual([method, path, 400, 119])
  }
})

test('permissions that hold', async () => {
  const classLevelPermissions = {
    find: { '*': true, requiresAuthentication: true, 'role:Admins': true, abcdefghij: true },
    update: { pointerFields: ['owner', 'members'] },
    readUserFields: ['owner'],
    writeUserFields: ['members'],
    protectedFields: { '*': ['text'], authenticated: [], 'role:A B': ['text'], 'userField:owner': [] },
  }
  const fields = {
    text: { type: 'String' },
    owner: { type: 'Pointer', targetClass: '_User' },
    members: { type: 'Array' },
  }
  const { body } = await post({ fields, classLevelPermissions })
  expect(body.classLevelPermissions).toEqual({ ...every({}), ...classLevelPermissions })
})

describe('indexes', () => {
  const definition = async (index: string) =>
    (await sql(`select indexdef from pg_indexes where indexname = '${name}:${index}'`))[0]?.indexdef

  test('of one field, of several, of places, of lists, of texts; deleted by name and with their field', async () => {
    await post({
      fields: {
        t: { type: 'String' },
        n: { type: 'Number' },
        g: { type: 'GeoPoint' },
        l: { type: 'Array' },
        unique: { type: 'String' },
      },
    })
    const indexes = {
      one: { t: 1 },
      two: { t: 1, createdAt: -1 },
      place: { g: '2dsphere' },
      list: { l: 1 },
      search: { t: 'text' },
      odd: { unique: 1 },
    }
    expect((await put({ indexes })).body.indexes).toEqual({ ...indexes, place: { g: 1 } })
    expect(await definition('two')).toMatch(/btree \(t NULLS FIRST, "createdAt" DESC NULLS LAST\)/)
    expect(await definition('place')).toMatch(/gist \(g\)/)
    expect(await definition('list')).toMatch(/gin \(l jsonb_path_ops\)/)
    expect(await definition('search')).toMatch(/gin \(to_tsvector\('english'::regconfig, .*\bt\b/)
    expect(await definition('odd')).toMatch(/^CREATE INDEX/)
    expect((await put({ indexes: { one: { n: 1 } } })).body).toMatchObject({
      code: 102,
      error: 'Index one exists, cannot update.',
    })
    expect((await put({ indexes: { bad: { l: 1, n: 1 } } })).body.error).toMatch(
      /l is of type Array, which cannot share an index with other fields/,
    )
    expect((await put({ indexes: { bad: { g: 1, unique: true } } })).body.error).toMatch(/cannot be unique/)
    expect((await put({ indexes: { bad: { n: 'text' } } })).body.error).toMatch(/n is not of type String/)

    expect((await put({ indexes: { one: { __op: 'Delete' } } })).body.indexes).not.toHaveProperty('one')
    expect(await definition('one')).toBeUndefined()
    expect((await put({ fields: { t: { __op: 'Delete' } } })).body.indexes).toEqual({
      place: { g: 1 },
      list: { l: 1 },
      odd: { unique: 1 },
    })
    expect(await definition('two')).toBeUndefined()
  })

  test.skipIf(hasParts)(
    'a unique one is refused while values are shared, and keeps them apart from then on',
    async () => {
      await post({ fields: { email: { type: 'String' } } })
      await insert('one', ', email', `, 'same'`)
      await insert('two', ', email', `, 'same'`)
      const refused = await put({ indexes: { email: { email: 1, unique: true } } })
      expect(refused.body).toMatchObject({
        code: 137,
        error: expect.stringContaining('some objects have the same values'),
      })
      expect((await get()).body).not.toHaveProperty('indexes')
      await sql(`delete from public."${name}" where "objectId" = 'two'`)
      const { body } = await put({ indexes: { email: { email: 1, unique: true } } })
      expect(body.indexes).toEqual({ email: { email: 1, unique: true } })
      await expect(insert('two', ', email', `, 'same'`)).rejects.toMatchObject({ code: '23505' })
      // Objects without the field do not conflict.
      await insert('three')
      await insert('four')
    },
  )
})

test('a text that is too long for the index of its field is refused, not a failure', async () => {
  await post({ fields: { t: { type: 'String' } }, indexes: { byT: { t: 1 } } })
  const long = Array.from({ length: 2_000 }, () => Math.random().toString(36).slice(2)).join('')
  const { status, body } = await server.call('POST', `/classes/${name}`, { t: long })
  expect([status, body.code]).toEqual([400, 116])
  expect((await server.call('POST', `/classes/${name}`, { t: long.slice(0, 1_000) })).status).toBe(201)
})

test('a table that is no class is left alone', async () => {
  await sql(`create table public."${name}" (own text)`)
  for (const answer of [await post({}), await server.call('POST', `/classes/${name}`, { own: 1 })]) {
    expect([answer.status, answer.body.code]).toEqual([400, 103])
    expect(answer.body.error).toMatch(/not a class of this application. Rename or drop it.$/)
  }
  expect(await sql(`select * from public."${name}"`)).toEqual([])
})

test('a field that is dropped takes its values and its nulls along', async () => {
  await post({ fields: { a: { type: 'String' } } })
  await insert('one', ', a, _nulls', `, 'old', '{a,b}'`)
  await put({ fields: { a: { __op: 'Delete' } } })
  await put({ fields: { a: { type: 'Number' } } })
  expect(await sql(`select a, "_nulls" from public."${name}"`)).toEqual([{ a: null, _nulls: ['b'] }])
})

test('a purge empties the class and every relation that leads to it, and ends the sessions of users', async () => {
  await post({ fields: { friends: { type: 'Relation', targetClass: '_User' } } })
  await insert('one')
  const { objectId, token } = await server.signUp('purged')
  await sql(`insert into public."_Join:friends:${name}" values ('one', '${objectId}')`)
  expect((await server.call('GET', '/users/me', undefined, { token })).status).toBe(200)
  expect((await server.call('DELETE', '/purge/_User', undefined, master)).body).toEqual({})
  expect(await sql(`select * from public."_Join:friends:${name}"`)).toEqual([])
  expect(await sql(`select * from public."${name}"`)).toHaveLength(1)
  await expect
    .poll(async () => (await server.call('GET', '/users/me', undefined, { token })).body.code, { timeout: 60_000 })
    .toBe(209)
  expect((await server.call('DELETE', '/purge/Unknown', undefined, master)).body).toEqual({})
})

test('100 changes at once of one class, and of one class that is not there yet', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => post({ fields: { a: { type: 'String' } } }, '/schemas/Race')),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.code === 103)).toHaveLength(49)
  const fields = Array.from({ length: 50 }, (_, i) => ({ [`f${i % 25}`]: { type: 'Number' } }))
  const changes = await Promise.all(fields.map((one) => server.call('PUT', '/schemas/Race', { fields: one }, master)))
  expect(changes.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([])
  const { body } = await server.call('GET', '/schemas/Race', undefined, master)
  expect(Object.keys(body.fields as object)).toHaveLength(4 + 1 + 25)
})

describe('the default access list of a class', () => {
  const ACL = { currentUser: { read: true, write: true }, 'role:editors': { read: true } }
  const read = (id: string, token?: string) =>
    server.call('GET', `/classes/${name}/${id}`, undefined, token === undefined ? {} : { token })

  test('is that of new objects which come without one', async () => {
    const created = await post({ fields: {}, classLevelPermissions: { ...every({ '*': true }), ACL } })
    expect([created.status, (created.body.classLevelPermissions as { ACL: object }).ACL]).toEqual([200, ACL])
    const [ann, bob] = [await server.signUp(`ann${name}`), await server.signUp(`bob${name}`)]
    const own = await server.call('POST', `/classes/${name}`, { a: 1 }, { token: ann.token })
    const id = own.body.objectId as string
    expect((await read(id, ann.token)).body.ACL).toEqual({
      [ann.objectId]: { read: true, write: true },
      'role:editors': { read: true },
    })
    expect([(await read(id, bob.token)).status, (await read(id)).status]).toEqual([404, 404])
    // A list of its own counts alone.
    const open = await server.call('POST', `/classes/${name}`, { ACL: { '*': { read: true } } }, { token: ann.token })
    expect((await read(open.body.objectId as string)).body.ACL).toEqual({ '*': { read: true } })
    // A guest has no id that could stand there.
    const guest = await server.call('POST', `/classes/${name}`, { a: 2 })
    expect((await read(guest.body.objectId as string)).status).toBe(404)
    const seen = await server.call('GET', `/classes/${name}/${guest.body.objectId}`, undefined, master)
    expect(seen.body.ACL).toEqual({ 'role:editors': { read: true } })
  })

  test('that is open to everyone leaves objects without a list, and a schema that a reference server writes is taken', async () => {
    const classLevelPermissions = {
      ...every({ '*': true }),
      ACL: { '*': { read: true, write: true } },
      protectedFields: { '*': [] },
    }
    expect((await post({ fields: {}, classLevelPermissions })).status).toBe(200)
    const { body } = await server.call('POST', `/classes/${name}`, {})
    expect((await read(body.objectId as string)).body).not.toHaveProperty('ACL')
  })

  test.each([
    [{ '*': true }, 123],
    [{ somebody: { read: true } }, 107],
    [{ '*': { read: 'yes' } }, 123],
    ['open', 123],
  ])('%j is refused, and nothing is made', async (list, code) => {
    const { status, body } = await post({ fields: {}, classLevelPermissions: { ACL: list } })
    expect([status, body.code]).toEqual([400, code])
    expect((await get()).status).toBe(400)
  })
})
