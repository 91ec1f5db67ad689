import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { type Answer, createTestServer } from '../testing/createTestServer.ts'
import { hasParts, isSpread } from '../testing/openTestDatabase.ts'
import { serveTests } from '../testing/serveTests.ts'

let ann: { objectId: string; token: string }
const server = serveTests({
  rateLimit: [
    { requestPath: '/classes/Limited', requestTimeWindow: 60_000, requestCount: 2, includeInternalRequests: true },
  ],
  publicUrl: 'http://localhost:1337/behind',
})
beforeAll(async () => {
  ann = await server.signUp('ann')
})

const batch = (requests: unknown, more: object = {}, options = {}) =>
  server.call('POST', '/batch', { requests, ...more }, options)
const post = (className: string, body: object) => ({ method: 'POST', path: `/server/classes/${className}`, body })
const count = async (className: string) =>
  (await server.context.db.query(sql`select 1 from public."${sql.raw(className)}"`)).length

describe('batch', () => {
  test('returns each response in its place, refusals too', async () => {
    const { body: game } = await server.call('POST', '/classes/Game', { score: 1 })
    const answer = await batch([
      post('Game', { title: 'one' }),
      post('Game', { $bad: 1 }),
      {
        method: 'PUT',
        path: `/server/classes/Game/${game.objectId}`,
        body: { score: { __op: 'Increment', amount: 2 } },
      },
      { method: 'DELETE', path: '/server/classes/Game/nosuch' },
      { method: 'post', path: '/behind/server/classes/Game', body: {} },
    ])
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual([
      { success: { objectId: expect.any(String), createdAt: expect.any(String) } },
      { error: expect.objectContaining({ code: 105, error: 'Invalid field name: $bad.' }) },
      { success: { updatedAt: expect.any(String), score: 3 } },
      { error: expect.objectContaining({ code: 101, error: 'Object not found.' }) },
      { success: { objectId: expect.any(String), createdAt: expect.any(String) } },
    ])
  })

  test.each([
    ['not an array', 'x', 'requests must be a list.'],
    ['no requests', undefined, 'requests is required.'],
    ['a path without the prefix', [{ method: 'POST', path: '/classes/Game' }], 'cannot route batch path /classes/Game'],
    ['another prefix', [{ method: 'POST', path: '/parse/classes/G' }], 'cannot route batch path /parse/classes/G'],
    ['an unknown route', [{ method: 'POST', path: '/server/zzz' }], 'cannot route POST /zzz'],
    ['a batch in a batch', [{ method: 'POST', path: '/server/batch', body: {} }], 'cannot route POST /batch'],
    ['a batch in other letters', [{ method: 'POST', path: '/server/BATCH/' }], 'cannot route POST /BATCH/'],
    ['a log-in', [{ method: 'POST', path: '/server/login', body: {} }], 'cannot route POST /login'],
    ['no object', [null], 'requests.0 must be an object.'],
    [
      'a body of another kind',
      [{ method: 'POST', path: '/server/classes/G', body: [] }],
      'requests.0.body must be an object.',
    ],
    ['too many', Array(51).fill(post('Game', {})), 'A batch can have at most 50 requests; this one has 51.'],
  ])('P13: %s is refused as a whole', async (_name, requests, error) => {
    const answer = await batch(requests)
    expect([answer.status, answer.body.code, answer.body.error]).toEqual([400, 107, error])
  })

  test('runs nothing if one request cannot be routed', async () => {
    await batch([post('Routed', { a: 1 }), { method: 'POST', path: '/server/nowhere' }])
    expect(server.context.classes.find('Routed')).toBeUndefined()
  })

  test('P14: limits of the rate and master-only endpoints hold inside a batch', async () => {
    const answers = (await batch([1, 2, 3].map((n) => post('Limited', { n })))).body as unknown as object[]
    expect(answers.filter((answer) => 'success' in answer)).toHaveLength(2)
    expect(answers.filter((answer) => 'error' in answer)).toMatchObject([
      { error: { code: 155, error: 'Too many requests.', reason: 'rateLimited' } },
    ])
    const config = { method: 'PUT', path: '/server/config', body: { params: { a: 1 } } }
    expect((await batch([config])).body).toMatchObject([{ error: { code: 119 } }])
    expect((await batch([config], {}, { master: true })).body).toEqual([{ success: { result: true } }])
  })

  test.each([
    '/classes//Limited',
    '/CLASSES/limited/',
    '/classes/Limi%74ed',
    '/classes/Limited?x=1',
    '//classes/Limited//',
  ])('P14: a limit applies to %s, in a batch and alone', async (path) => {
    for (let times = 0; times < 2; times++) await server.call('POST', '/classes/Limited', {})
    expect((await server.call('POST', path, {})).status).toBe(429)
    const [answer] = (await batch([{ method: 'POST', path: `/server${path}`, body: {} }])).body as unknown as object[]
    expect(answer).toMatchObject({ error: { code: 155 } })
  })

  test('each request has the rights of the caller, no more', async () => {
    const { body } = await server.call('POST', '/classes/Mine', {
      ACL: { [ann.objectId]: { write: true, read: true } },
    })
    const change = [{ method: 'PUT', path: `/server/classes/Mine/${body.objectId}`, body: { a: 1 } }]
    expect((await batch(change)).body).toMatchObject([{ error: { code: 101 } }])
    expect((await batch(change, {}, { token: ann.token })).body).toMatchObject([{ success: {} }])
    const forged = [{ ...change[0], body: { a: 1, _MasterKey: server.masterKey, _SessionToken: ann.token } }]
    expect((await batch(forged)).body).toMatchObject([{ error: { code: expect.any(Number) } }])
  })

  test('a token of a cookie session does not come out of a batch', async () => {
    const answer = await batch([{ method: 'GET', path: '/server/users/me' }], {}, { token: ann.token })
    expect(answer.text).toContain(ann.token)
    const login = await server.call(
      'POST',
      '/login',
      { username: 'ann', password: 'ann password' },
      { headers: { 'X-Countersign-Session': 'cookie' } },
    )
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    const quiet = await batch(
      [{ method: 'GET', path: '/server/users/me' }],
      {},
      { headers: { 'X-Countersign-Session': 'cookie', cookie } },
    )
    expect(quiet.body).toMatchObject([{ success: { username: 'ann' } }])
    expect(quiet.text).not.toContain('sessionToken')
  })
})

describe('creates of a batch', () => {
  const master = { master: true }
  const transactions = async (className: string) =>
    (await server.context.db.query(sql`select distinct xmin::text from public."${sql.raw(className)}"`)).length

  test('take one statement for each class and set of fields', async () => {
    await server.call('POST', '/classes/Together', {
      name: 'first',
      size: 1,
      at: { __type: 'Date', iso: '2020-01-01T00:00:00.000Z' },
    })
    const { body } = await batch(Array.from({ length: 30 }, (_, size) => post('Together', { name: `n${size}`, size })))
    expect(body).toHaveLength(30)
    const { body: found } = await server.call('GET', '/classes/Together?order=size&where={"size":{"$gte":0}}')
    const results = found.results as { objectId: string; name: string }[]
    expect(results.map(({ name }) => name)).toEqual(
      expect.arrayContaining(Array.from({ length: 30 }, (_, size) => `n${size}`)),
    )
    const answered = (body as unknown as { success: { objectId: string } }[]).map(({ success }) => success.objectId)
    expect(answered.map((id) => results.find(({ objectId }) => objectId === id)?.name)).toEqual(
      Array.from({ length: 30 }, (_, size) => `n${size}`),
    )
    // Shards have transaction numbers of their own node.
    if (!isSpread) expect(await transactions('Together')).toBe(2)
  })

  // A unique index of a partitioned class must contain objectId.
  test.skipIf(hasParts)('fail one by one, each for its own reason', async () => {
    await server.call(
      'POST',
      '/schemas/Alone',
      {
        className: 'Alone',
        fields: { code: { type: 'String' }, size: { type: 'Number' } },
      },
      master,
    )
    await server.context.db.query(sql`create unique index alone_code on public."Alone" (code)`)
    await server.call('POST', '/classes/Alone', { code: 'taken', size: 0 })
    const codes = ['a', 'taken', 'b', 'c', 'c', 'd']
    const { body } = await batch([
      ...codes.map((code, size) => post('Alone', { code, size })),
      post('Alone', { code: 1, size: 9 }),
    ])
    const parts = body as unknown as { success?: object; error?: { code: number } }[]
    expect(parts.map(({ success, error }) => (success ? 'made' : error?.code))).toEqual([
      'made',
      137,
      'made',
      'made',
      137,
      'made',
      111,
    ])
    expect(await count('Alone')).toBe(5)
  })

  test('run once under a request id, as single ones do', async () => {
    const requests = Array.from({ length: 8 }, (_, size) => post('Repeated', { size }))
    const headers = { 'X-Parse-Request-Id': randomUUID() }
    const first = await batch(requests, {}, { headers })
    const second = await batch(requests, {}, { headers })
    expect(second.body).toEqual(first.body)
    expect(await count('Repeated')).toBe(8)
  })
})

describe('a transaction', () => {
  test('is all or nothing and returns the first error', async () => {
    const answer = await batch([post('Whole', { n: 1 }), post('Whole', { n: 'text' })], { transaction: true })
    expect([answer.status, answer.body.code]).toEqual([400, 111])
    expect((await batch([post('Whole', { n: 1 }), post('Whole', { n: 2 })], { transaction: true })).body).toHaveLength(
      2,
    )
    expect(await count('Whole')).toBe(2)
    const gone = await batch(
      [post('Whole', { n: 3 }), { method: 'DELETE', path: '/server/classes/Whole/nosuch' }, post('Whole', { n: 4 })],
      { transaction: true },
    )
    expect([gone.status, gone.body.code]).toEqual([400, 101])
    expect(await count('Whole')).toBe(2)
  })

  test('a class that a failed transaction would have made can still be made', async () => {
    const failed = await batch([post('Later', { n: 1, m: 2 }), post('Later', { $x: 1 })], { transaction: true })
    expect(failed.body.code).toBe(105)
    expect((await server.call('POST', '/classes/Later', { n: 'now a text' })).status).toBe(201)
  })

  test('a role that a failed transaction would have given is not held', async () => {
    const acl = { [ann.objectId]: { read: true, write: true } }
    const { body: role } = await server.call('POST', '/roles', { name: 'keepers', ACL: acl })
    const { body: kept } = await server.call('POST', '/classes/Kept', {
      a: 1,
      ACL: { 'role:keepers': { write: true } },
    })
    const join = { __op: 'AddRelation', objects: [{ __type: 'Pointer', className: '_User', objectId: ann.objectId }] }
    const answer = await batch(
      [
        { method: 'PUT', path: `/server/roles/${role.objectId}`, body: { users: join } },
        { method: 'PUT', path: `/server/classes/Kept/${kept.objectId}`, body: { a: 2 } },
      ],
      { transaction: true },
      { token: ann.token },
    )
    expect(answer.body.code).toBe(101)
    const after = await server.call('PUT', `/classes/Kept/${kept.objectId}`, { a: 2 }, { token: ann.token })
    expect(after.body.code).toBe(101)
  })

  test('holds plain writes of objects alone', async () => {
    const user = { method: 'POST', path: '/server/users', body: { username: 'x', password: 'y' } }
    expect((await batch([user], { transaction: true })).body.code).toBe(107)
  })
})

describe('a request id', () => {
  const call = (method: string, path: string, body: object | undefined, id: string, options = {}) =>
    server.call(method, path, body, { ...options, headers: { 'X-Parse-Request-Id': id } })

  test('runs a write once and gives a repeat the first response', async () => {
    const id = randomUUID()
    const first = await call('POST', '/classes/Once', { n: 1 }, id)
    const second = await call('POST', '/classes/Once', { n: 1 }, id)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect(await count('Once')).toBe(1)
    const path = `/classes/Once/${first.body.objectId}`
    const step = { n: { __op: 'Increment', amount: 1 } }
    const [change, gone] = [randomUUID(), randomUUID()]
    expect((await call('PUT', path, step, change)).body.n).toBe(2)
    expect((await call('PUT', path, step, change)).body.n).toBe(2)
    expect((await call('DELETE', path, undefined, gone)).status).toBe(200)
    expect((await call('DELETE', path, undefined, gone)).status).toBe(200)
    expect((await call('DELETE', path, undefined, randomUUID())).status).toBe(404)
  })

  test('is not good for another request, nor for another caller', async () => {
    const id = randomUUID()
    await call('POST', '/classes/Once', { n: 1 }, id)
    const other = await call('POST', '/classes/Once', { n: 2 }, id)
    expect([other.status, other.body.code]).toEqual([400, 159])
    const stranger = await call('POST', '/classes/Once', { n: 1 }, id, { token: ann.token })
    expect(stranger.status).toBe(201)
  })

  test('of many at once one is carried out', async () => {
    const [id, before] = [randomUUID(), await count('Once')]
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', '/classes/Once', { n: 5 }, id)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.objectId}`)).size).toBe(1)
    expect(await count('Once')).toBe(before + 1)
  })

  test('a write whose response cannot be stored is rolled back', async () => {
    const { db } = server.context
    const [id, before] = [randomUUID(), await count('Once')]
    await db.query(sql`
      create function countersign.fail() returns trigger language plpgsql as $$
        begin raise exception 'the power went'; end $$`)
    await db.query(
      sql`create trigger fail before insert on countersign.requests for each row execute function countersign.fail()`,
    )
    expect((await call('POST', '/classes/Once', { n: 6 }, id)).status).toBe(500)
    expect(await count('Once')).toBe(before)
    await db.query(sql`drop trigger fail on countersign.requests`)
    expect((await call('POST', '/classes/Once', { n: 6 }, id)).status).toBe(201)
    expect(await count('Once')).toBe(before + 1)
  })

  test('a refused write may be tried again under it', async () => {
    const id = randomUUID()
    expect((await call('POST', '/classes/Once', { n: 'text' }, id)).status).toBe(400)
    expect((await call('POST', '/classes/Once', { n: 7 }, id)).status).toBe(201)
  })

  test('covers each request of a batch, and a transaction as a whole', async () => {
    const requests = [post('Batched', { n: 1 }), post('Batched', { n: 2 })]
    for (const more of [{}, { transaction: true }]) {
      const id = randomUUID()
      const first = await call('POST', '/batch', { requests, ...more }, id)
      const second = await call('POST', '/batch', { requests, ...more }, id)
      expect(first.status).toBe(200)
      expect(second.body).toEqual(first.body)
    }
    expect(await count('Batched')).toBe(4)
  })

  test('is forgotten after its time', async () => {
    const id = randomUUID()
    const first = await call('POST', '/classes/Once', { n: 8 }, id)
    server.clock.forward(301_000)
    const second = await call('POST', '/classes/Once', { n: 8 }, id)
    expect(second.body.objectId).not.toBe(first.body.objectId)
    expect((await call('POST', '/classes/Once', { n: 8 }, id)).body).toEqual(second.body)
  })
})

test('with idempotencyOptions a repeat is rejected, for any path', async () => {
  const strict = await createTestServer({ idempotencyOptions: { paths: ['classes/.*', 'users'], ttl: 60 } })
  try {
    const headers = { 'X-Parse-Request-Id': 'one' }
    expect((await strict.call('POST', '/classes/A', {}, { headers })).status).toBe(201)
    const again = await strict.call('POST', '/classes/B', { b: 1 }, { headers })
    expect([again.status, again.body]).toEqual([
      400,
      expect.objectContaining({ code: 159, error: 'Duplicate request' }),
    ])
    expect((await strict.call('POST', '/users', { username: 'u', password: 'p' }, { headers })).body.code).toBe(159)
    strict.clock.forward(61_000)
    expect((await strict.call('POST', '/classes/B', {}, { headers })).status).toBe(201)
  } finally {
    await strict.stop()
  }
})

test('_Idempotency: the master key reads and deletes the finished requests, and nobody writes', async () => {
  const strict = await createTestServer({ idempotencyOptions: { paths: ['classes/Paid'], ttl: 60 } })
  const master = { master: true }
  type Kept = { objectId: string; reqId: string; expire: { __type: string; iso: string } }
  const rowsOf = ({ body }: Answer) => body.results as Kept[]
  const where = (condition: object, more = '') =>
    strict.call(
      'GET',
      `/classes/_Idempotency?where=${encodeURIComponent(JSON.stringify(condition))}${more}`,
      undefined,
      master,
    )
  try {
    const ann = await strict.signUp('ann')
    const now = strict.clock.now().getTime()
    const ask = (path: string, id: string) =>
      strict.call('POST', path, { secret: 'hidden words' }, { token: ann.token, headers: { 'X-Parse-Request-Id': id } })
    expect((await ask('/classes/Paid', 'paid')).status).toBe(201)
    expect((await ask('/classes/Free', 'free')).status).toBe(201)
    expect((await ask('/classes/Paid', 'paid')).body.code).toBe(159)

    const all = await strict.call('GET', '/classes/_Idempotency?order=-reqId&count=1', undefined, master)
    expect(all.body).toMatchObject({ count: 2, results: [{ reqId: 'paid' }, { reqId: 'free' }] })
    expect(Object.keys(rowsOf(all)[0] ?? {}).sort()).toEqual(['createdAt', 'expire', 'objectId', 'reqId', 'updatedAt'])
    expect(all.text).not.toMatch(/hidden words/)
    const [found] = rowsOf(await where({ reqId: 'paid' }))
    if (!found) throw new Error('no such request')
    expect(new Date(found.expire.iso).getTime() - now).toBeGreaterThanOrEqual(60_000)
    expect(found.expire.__type).toBe('Date')
    expect((await strict.call('GET', `/classes/_Idempotency/${found.objectId}`, undefined, master)).body).toEqual(found)
    expect((await where({ reqId: 'paid' }, '&count=1&limit=0')).body).toEqual({ results: [], count: 1 })
    expect((await where({ objectId: found.objectId })).body.results).toEqual([found])
    expect(
      (await where({ expire: { $gt: { __type: 'Date', iso: new Date(now).toISOString() } } })).body.results,
    ).toHaveLength(2)
    const groups = await strict.call('GET', '/aggregate/_Idempotency?distinct=reqId', undefined, master)
    expect((groups.body.results as string[]).sort()).toEqual(['free', 'paid'])

    const own = `/classes/_Idempotency/${found.objectId}`
    for (const [method, path] of [
      ['POST', '/classes/_Idempotency'],
      ['PUT', own],
    ] as const) {
      const refused = await strict.call(method, path, { reqId: 'other' }, master)
      expect([refused.status, refused.body.code], method).toEqual([400, 119])
    }
    for (const options of [{}, { token: ann.token }]) {
      expect((await strict.call('DELETE', own, undefined, options)).body.code).toBe(119)
    }
    expect((await strict.call('DELETE', '/purge/_Idempotency', undefined, master)).body).toEqual({})
    expect((await strict.call('DELETE', '/schemas/_Idempotency', undefined, master)).status).toBeLessThan(500)
    expect((await strict.call('POST', '/schemas/_Idempotency', {}, master)).status).toBe(400)
    expect(
      (await strict.call('PUT', '/schemas/_Idempotency', { fields: { x: { type: 'String' } } }, master)).status,
    ).toBe(400)
    expect((await where({})).body.results).toHaveLength(2)
    for (const path of ['/classes/_Idempotency', own]) {
      expect((await strict.call('GET', path, undefined, { token: ann.token })).body.code).toBe(119)
      expect((await strict.call('GET', path)).body.code).toBe(119)
    }

    const [free] = rowsOf(await where({ reqId: 'free' }))
    expect((await strict.call('DELETE', `/classes/_Idempotency/${free?.objectId}`, undefined, master)).status).toBe(200)
    expect(rowsOf(await where({})).map(({ reqId }) => reqId)).toEqual(['paid'])
    expect((await ask('/classes/Free', 'free')).status).toBe(201)

    // Forgotten with its time, also before its row is swept.
    strict.clock.forward(61_000)
    expect((await where({})).body.results).toEqual([])
    expect((await strict.call('GET', own, undefined, master)).body.code).toBe(101)
  } finally {
    await strict.stop()
  }
})

test('reads that return a list can be part of a batch', async () => {
  const requests = ['/cloud_code/jobs', '/releases/latest'].map((path) => ({ method: 'GET', path: `/server${path}` }))
  const { status, body } = await server.call('POST', '/batch', { requests }, { master: true })
  expect(status).toBe(200)
  const answers = body as unknown as { success: unknown }[]
  expect(answers.map(({ success }) => Array.isArray(success))).toEqual([true, true])
})
