import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests()

describe('sign-up', () => {
  test('R18: makes a user, a session and an access list for the user alone', async () => {
    const made = await server.call('POST', '/users', { username: 'Ada', password: 'secret', email: 'ada@example.com' })
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toMatch(new RegExp(`/server/users/${made.body.objectId}$`))
    expect(made.body).toEqual({
      objectId: expect.stringMatching(/^[A-Za-z0-9]{10}$/),
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      sessionToken: expect.stringMatching(/^r:[0-9a-f]{32}$/),
    })
    const me = await server.call('GET', '/users/me', undefined, { token: made.body.sessionToken as string })
    expect(me.body).toEqual({
      objectId: made.body.objectId,
      createdAt: made.body.createdAt,
      updatedAt: made.body.createdAt,
      username: 'Ada',
      email: 'ada@example.com',
      emailVerified: false,
      ACL: { [made.body.objectId as string]: { read: true, write: true } },
      sessionToken: made.body.sessionToken,
    })
  })

  test('R7: takes further fields of every type and gives them back as they were', async () => {
    const fields = {
      text: 'a "quoted" text with ünïcode 🎉',
      number: -1.5e-7,
      yes: true,
      no: false,
      nothing: null,
      list: [1, 'two', { three: [null] }],
      object: { deep: { er: [{ x: 1 }] }, empty: {} },
      date: { __type: 'Date', iso: '1969-07-20T20:17:40.123Z' },
      place: { __type: 'GeoPoint', latitude: 40.5, longitude: -30.25 },
      bytes: { __type: 'Bytes', base64: 'AAEC/w==' },
      file: { __type: 'File', name: 'x.png', url: 'https://example.com/x.png' },
      friend: { __type: 'Pointer', className: '_User', objectId: 'abcdefghij' },
      area: {
        __type: 'Polygon',
        coordinates: [
          [0, 0],
          [0, 1],
          [1, 1],
          [0, 0],
        ],
      },
      hasOwnProperty: 'a field may have the name of a method',
    }
    const { token, objectId } = await server.signUp('grace', fields)
    const { body } = await server.call('GET', `/users/${objectId}`, undefined, { token })
    expect(body).toMatchObject(fields)
  })

  test.each([
    [{ password: 'x' }, 200, 'bad or missing username'],
    [{ username: '', password: 'x' }, 200, 'bad or missing username'],
    [{ username: '   ', password: 'x' }, 200, 'bad or missing username'],
    [{ username: { $ne: null }, password: 'x' }, 200, 'bad or missing username'],
    [{ username: 5, password: 'x' }, 200, 'bad or missing username'],
    [{ username: 'x'.repeat(257), password: 'x' }, 200, 'A username can have at most 256 characters.'],
    [{ username: 'nopassword' }, 201, 'password is required'],
    [{ username: 'nopassword', password: '' }, 201, 'password is required'],
    [{ username: 'nopassword', password: { $ne: null } }, 201, 'password is required'],
    [{ username: 'mail', password: 'x', email: 'no address' }, 125, 'Email address format is invalid.'],
    [{ username: 'mail', password: 'x', email: 5 }, 125, 'Email address format is invalid.'],
    [
      { username: 'v', password: 'x', emailVerified: true },
      119,
      "Clients aren't allowed to manually update email verification.",
    ],
    [{ username: 'i', password: 'x', objectId: 'mine' }, 105, 'objectId is an invalid field name.'],
    [{ username: 'f', password: 'x', $bad: 1 }, 105, 'Invalid field name: $bad.'],
    [{ username: 'f', password: 'x', _password_hash: 'mine' }, 105, 'Invalid field name: _password_hash.'],
    [{ username: 'f', password: 'x', className: 'mine' }, 105, 'Invalid field name: className.'],
    [{ username: 'f', password: 'x', ['x'.repeat(64)]: 1 }, 105, /^Invalid field name/],
    [{ username: 'f', password: 'x', nested: { 'a.b': 1 } }, 121, /^Nested keys/],
    [{ username: 'f', password: 'x', bad: { __type: 'Date', iso: 'never' } }, 111, 'This is not a valid Date'],
    [{ username: 'f', password: 'x', bad: { __type: 'Nothing' } }, 111, 'This is not a valid Nothing'],
    [{ username: 'f', password: 'x', ACL: { someone: { fly: true } } }, 123, /^The ACL entry of someone/],
    [{ username: 'f', password: 'x', ACL: 'public' }, 123, 'An ACL must be an object.'],
    [
      { username: 'f', password: 'x', authData: { nowhere: { id: '1' } } },
      252,
      'This authentication method is unsupported.',
    ],
    [{ username: 'f', password: 'x'.repeat(1025) }, 142, 'A password can have at most 1024 characters.'],
    [{ username: 'f', password: 'x', text: 'a\u0000b' }, 107, 'A text must not contain the character U+0000.'],
    [{ username: 'f', password: 'x', object: { half: '\ud800' } }, 107, /cannot be stored/],
  ])('refuses %j with %i', async (input, code, message) => {
    const { status, body } = await server.call('POST', '/users', input)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code, error: typeof message === 'string' ? message : expect.stringMatching(message) })
  })

  test('R22: names and addresses are taken without regard to case, width and spaces around', async () => {
    await server.signUp('Taken', { email: 'Taken@Example.com' })
    for (const username of ['taken', 'TAKEN', ' Taken ', 'Ｔaken']) {
      const { status, body } = await server.call('POST', '/users', { username, password: 'x' })
      expect([status, body]).toEqual([
        400,
        expect.objectContaining({ code: 202, error: 'Account already exists for this username.' }),
      ])
    }
    const { status, body } = await server.call('POST', '/users', {
      username: 'other',
      password: 'x',
      email: 'tAKEN@example.COM',
    })
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ code: 203, error: 'Account already exists for this email address.' }),
    ])
  })

  test('100 sign-ups of one name at once: one account, ninety-nine refusals with 202', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        server.call('POST', '/users', { username: i % 2 ? 'race' : 'RACE', password: `p${i}` }),
      ),
    )
    const codes = answers.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim())
    expect(codes.filter((code) => code === '201')).toHaveLength(1)
    expect(codes.filter((code) => code === '400 202')).toHaveLength(99)
    const rows = await server.context.db.query(sql`select 1 from "_User" where lower(username) = 'race'`)
    expect(rows).toHaveLength(1)
  })

  test('50 sign-ups at once that each bring a new field: all succeed, one column each', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        server.call('POST', '/users', { username: `wide${i}`, password: 'x', [`wide${i % 10}`]: i, shared: 1 }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(201))
    const { body } = await server.call('GET', `/users/${answers[7]?.body.objectId}`, undefined, { master: true })
    expect(body).toMatchObject({ wide7: 7, shared: 1 })
  })

  test('two types for one new field at once: one wins, the other is refused with 111', async () => {
    const answers = await Promise.all(
      [1, 'text', true, [1]].map((value, i) =>
        server.call('POST', '/users', { username: `type${i}`, password: 'x', undecided: value }),
      ),
    )
    const codes = answers.map(({ body }) => body.code ?? 'ok').sort()
    expect(codes).toEqual([111, 111, 111, 'ok'])
  })

  test('a sign-up whose response was lost can be repeated by the same request only', async () => {
    const input = { username: 'again', password: 'secret' }
    const headers = { 'X-Parse-Request-Id': 'one-and-the-same' }
    const first = await server.call('POST', '/users', input, { headers })
    const second = await server.call('POST', '/users', input, { headers })
    expect(second.status).toBe(201)
    expect(second.body.objectId).toBe(first.body.objectId)
    const wrongPassword = await server.call('POST', '/users', { ...input, password: 'guess' }, { headers })
    expect(wrongPassword.body.code).toBe(202)
    const otherRequest = await server.call('POST', '/users', input, { headers: { 'X-Parse-Request-Id': 'another' } })
    expect(otherRequest.body.code).toBe(202)
  })

  test('P1: names that reach a prototype are refused at any depth', async () => {
    for (const text of [
      '{"username":"p","password":"x","__proto__":{"isMaster":true}}',
      '{"username":"p","password":"x","a":{"b":[{"constructor":1}]}}',
      '{"username":"p","password":"x","a":{"\\u005f_proto__":1}}',
      '{"username":"p","password":"x","a":{"_bsontype":"Code"}}',
    ]) {
      const { status, body } = await server.call('POST', '/users', text)
      expect([status, body.code]).toEqual([400, 105])
    }
  })

  test('P13: a value nested without end is refused, not followed', async () => {
    const deep = `{"username":"d","password":"x","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const { status, body } = await server.call('POST', '/users', deep)
    expect([status, body.code]).toEqual([400, 107])
  })
})

describe('log-in', () => {
  beforeAll(() => server.signUp('Lin', { email: 'lin@example.com' }))

  test.each([
    ['POST', { username: 'Lin', password: 'Lin password' }],
    ['POST', { username: 'LIN', password: 'Lin password' }],
    ['POST', { username: 'lin@example.com', password: 'Lin password' }],
    ['POST', { email: 'LIN@example.com', password: 'Lin password' }],
    ['POST', { username: 'Lin', email: 'lin@example.com', password: 'Lin password' }],
    ['POST', { _method: 'GET', username: 'Lin', password: 'Lin password' }],
  ])('by %s with %j', async (method, input) => {
    const { status, body } = await server.call(method, '/login', input)
    expect([status, body]).toMatchObject([200, { username: 'Lin', sessionToken: expect.stringMatching(/^r:/) }])
    expect(JSON.stringify(body)).not.toMatch(/password|hash/i)
  })

  test('by GET, with texts that look like numbers', async () => {
    await server.call('POST', '/users', { username: '007', password: '0042' })
    const { status, body } = await server.call('GET', '/login?username=007&password=0042')
    expect([status, body.username]).toEqual([200, '007'])
  })

  test.each([
    [{ username: 'Lin', password: 'wrong' }, 404, 101, 'Invalid username/password.'],
    [{ username: 'nobody', password: 'wrong' }, 404, 101, 'Invalid username/password.'],
    [{ username: 'Lin', password: { $ne: null } }, 404, 101, 'Invalid username/password.'],
    [{ username: { $regex: '.*' }, password: 'x' }, 404, 101, 'Invalid username/password.'],
    [{ username: 'Lin', email: 'other@example.com', password: 'Lin password' }, 404, 101, 'Invalid username/password.'],
    [{ password: 'x' }, 400, 200, 'username/email is required.'],
    [{ username: 'Lin' }, 400, 201, 'password is required.'],
  ])('refuses %j', async (input, status, code, error) => {
    const answer = await server.call('POST', '/login', input)
    expect([answer.status, answer.body]).toMatchObject([status, { code, error }])
  })

  test('a session token that comes along is not looked at', async () => {
    const { status } = await server.call(
      'POST',
      '/login',
      { username: 'Lin', password: 'Lin password' },
      { token: 'r:gone' },
    )
    expect(status).toBe(200)
  })

  test('verifyPassword checks without opening a session', async () => {
    const { objectId } = await server.signUp('vera')
    for (const method of ['POST', 'GET']) {
      const path = method === 'GET' ? '/verifyPassword?username=vera&password=vera%20password' : '/verifyPassword'
      const { status, body } = await server.call(
        method,
        path,
        method === 'POST' ? { username: 'vera', password: 'vera password' } : undefined,
      )
      expect([status, body.objectId, body.sessionToken]).toEqual([200, objectId, undefined])
    }
    expect((await server.call('POST', '/verifyPassword', { username: 'vera', password: 'no' })).body.code).toBe(101)
  })

  test('loginAs opens a session for the master key alone', async () => {
    const { objectId } = await server.signUp('target')
    expect((await server.call('POST', '/loginAs', { userId: objectId })).body.code).toBe(119)
    expect((await server.call('POST', '/loginAs', {}, { master: true })).body.code).toBe(162)
    expect((await server.call('POST', '/loginAs', { userId: 'nobody' }, { master: true })).body).toMatchObject({
      code: 101,
      error: 'user not found',
    })
    const { body } = await server.call('POST', '/loginAs', { userId: objectId }, { master: true })
    expect(body).toMatchObject({ objectId, username: 'target', sessionToken: expect.stringMatching(/^r:/) })
  })
})

describe('lock-out', () => {
  test('after ten failures even the right password is refused, for names that exist and for those that do not', async () => {
    await server.signUp('locky')
    for (const username of ['locky', 'not-there']) {
      const guesses = await Promise.all(
        Array.from({ length: 15 }, () => server.call('POST', '/login', { username, password: 'guess' })),
      )
      const errors = guesses.map(({ body }) => body.error)
      expect(errors.filter((error) => error === 'Invalid username/password.')).toHaveLength(10)
      expect(errors.filter((error) => error?.startsWith('Your account is locked'))).toHaveLength(5)
    }
    const right = { username: 'LOCKY', password: 'locky password' }
    expect((await server.call('POST', '/login', right)).body).toMatchObject({
      code: 101,
      error: 'Your account is locked due to multiple failed login attempts. Please try again after 5 minute(s)',
    })
    server.clock.forward(5 * 60_000 + 1000)
    expect((await server.call('POST', '/login', right)).status).toBe(200)
  })

  test('a success in between starts the count again', async () => {
    await server.signUp('steady')
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 6; i++) await server.call('POST', '/login', { username: 'steady', password: 'no' })
      expect((await server.call('POST', '/login', { username: 'steady', password: 'steady password' })).status).toBe(
        200,
      )
    }
  })
})

describe('reading and changing users', () => {
  test('permissions to read, change and delete users', async () => {
    const owner = await server.signUp('owner', { email: 'owner@example.com' })
    const other = await server.signUp('other-user')
    const path = `/users/${owner.objectId}`
    const callers = {
      guest: {},
      other: { token: other.token },
      owner: { token: owner.token },
      master: { master: true },
    }
    const seen: Record<string, unknown> = {}
    for (const [name, options] of Object.entries(callers)) {
      const read = await server.call('GET', path, undefined, options)
      const write = await server.call('PUT', path, { note: name }, options)
      seen[name] = [read.status, read.body.code ?? read.body.email, write.status, write.body.code ?? null]
    }
    expect(seen).toEqual({
      guest: [404, 101, 400, 206],
      other: [404, 101, 400, 206],
      owner: [200, 'owner@example.com', 200, null],
      master: [200, 'owner@example.com', 200, null],
    })
    for (const options of [callers.guest, callers.other]) {
      expect((await server.call('DELETE', path, undefined, options)).body).toMatchObject({
        code: 206,
        error: 'Insufficient auth to delete user',
      })
    }
    expect((await server.call('DELETE', path, undefined, callers.owner)).body).toEqual({})
    expect((await server.call('GET', '/users/me', undefined, callers.owner)).body.code).toBe(209)
    expect((await server.call('DELETE', path, undefined, callers.master)).status).toBe(200)
    expect((await server.call('DELETE', path, undefined, callers.master)).body.code).toBe(101)
  })

  test('a user who opens the access list shows no e-mail address, and no token, to others', async () => {
    const open = await server.signUp('open', { email: 'open@example.com' })
    const other = await server.signUp('reader')
    await server.call('PUT', `/users/${open.objectId}`, { ACL: { '*': { read: true } } }, { token: open.token })
    const { body } = await server.call('GET', `/users/${open.objectId}`, undefined, { token: other.token })
    expect(body).toMatchObject({
      username: 'open',
      ACL: { '*': { read: true }, [open.objectId]: { read: true, write: true } },
    })
    expect(body).not.toHaveProperty('email')
    expect(body).not.toHaveProperty('sessionToken')
    const own = await server.call('GET', `/classes/_User/${open.objectId}`, undefined, { token: open.token })
    expect(own.body).toMatchObject({ email: 'open@example.com', sessionToken: open.token })
  })

  test('operations say what they led to, at any depth', async () => {
    const { objectId, token } = await server.signUp('ops', {
      count: 1,
      list: [1, 2],
      set: ['a'],
      object: { a: { b: 1 } },
    })
    const { body } = await server.call(
      'PUT',
      `/users/${objectId}`,
      {
        count: { __op: 'Increment', amount: 4 },
        list: { __op: 'Add', objects: [2, 3] },
        set: { __op: 'AddUnique', objects: ['a', 'b', 'b', { k: 1 }, { k: 1 }] },
        fresh: { __op: 'Increment', amount: -2 },
        'object.a.b': { __op: 'Increment', amount: 1 },
        'object.a.c.d': { __op: 'Add', objects: ['deep'] },
        'object.e': 'set',
      },
      { token },
    )
    expect(body).toEqual({
      updatedAt: expect.any(String),
      count: 5,
      list: [1, 2, 2, 3],
      set: ['a', 'b', { k: 1 }],
      fresh: -2,
      object: { a: { b: 2, c: { d: ['deep'] } } },
    })
    await server.call(
      'PUT',
      `/users/${objectId}`,
      { list: { __op: 'Remove', objects: [2] }, count: { __op: 'Delete' }, 'object.a.b': { __op: 'Delete' } },
      { token },
    )
    const after = await server.call('GET', `/users/${objectId}`, undefined, { token })
    expect(after.body).toMatchObject({ list: [1, 3], object: { a: { c: { d: ['deep'] } }, e: 'set' } })
    expect(after.body).not.toHaveProperty('count')
  })

  test.each([
    [{ count: { __op: 'Increment', amount: 'x' } }, 107],
    [{ count: { __op: 'Explode' } }, 108],
    [{ list: { __op: 'Add', objects: 'x' } }, 107],
    [{ name1: 5, 'name1.b': 1 }, 111],
    [{ 'object..b': 1 }, 105],
    [{ username: '' }, 200],
    [{ username: null }, 200],
    [{ password: '' }, 201],
    [{ email: 'nope' }, 125],
    [{ emailVerified: true }, 119],
    [{ 'object.text': { __op: 'Increment', amount: 1 } }, 111],
    [{ username: 'Ada' }, 202],
    [{ email: 'ADA@example.com' }, 203],
  ])('refuses the change %j with %i and changes nothing', async (change, code) => {
    const name = `refused${code}${JSON.stringify(change).length}`
    const { objectId, token } = await server.signUp(name, { count: 1, list: [], object: { text: 'x' } })
    const { status, body } = await server.call('PUT', `/users/${objectId}`, { note: 'also', ...change }, { token })
    expect([status, body.code]).toEqual([400, code])
    const after = await server.call('GET', `/users/${objectId}`, undefined, { token })
    expect(after.body).toMatchObject({ username: name, count: 1, list: [], object: { text: 'x' } })
    expect(after.body).not.toHaveProperty('note')
  })

  test('fields that older clients send back are harmless', async () => {
    const { objectId, token } = await server.signUp('old-client')
    const { status } = await server.call(
      'PUT',
      `/classes/_User/${objectId}`,
      { authData: {}, sessionToken: 'r:mine', createdAt: '2000-01-01T00:00:00.000Z', objectId, note: 'kept' },
      { token },
    )
    expect(status).toBe(200)
    const { body } = await server.call('GET', '/users/me', undefined, { token })
    expect(body).toMatchObject({ note: 'kept', sessionToken: token, objectId })
    expect(body.createdAt).not.toMatch(/^2000/)
  })

  test('a changed user is seen at once in every session', async () => {
    const { objectId, token } = await server.signUp('fresh')
    await server.call('GET', '/users/me', undefined, { token })
    await server.call('PUT', `/users/${objectId}`, { note: 'new' }, { master: true })
    expect((await server.call('GET', '/users/me', undefined, { token })).body.note).toBe('new')
  })
})
