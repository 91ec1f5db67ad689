import { chainEndpoints, endpoints, errorCodes } from '@countersign/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { createRawCall } from '../../testing/createRawCall.ts'
import { createTestServer } from '../../testing/createTestServer.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests()
beforeAll(async () => {
  await server.signUp('gus')
})

const logIn = { username: 'gus', password: 'gus password' }

const { raw } = createRawCall(() => server)

describe('identity', () => {
  test('in headers, in the body, or by HTTP Basic', async () => {
    const basic = (password: string) => `Basic ${Buffer.from(`${server.appId}:${password}`).toString('base64')}`
    const ways: RequestInit[] = [
      { headers: { 'x-parse-application-id': server.appId }, body: JSON.stringify(logIn) },
      { body: JSON.stringify({ ...logIn, _ApplicationId: server.appId }) },
      {
        headers: { 'Content-Type': 'text/plain' },
        body: JSON.stringify({
          ...logIn,
          _ApplicationId: server.appId,
          _ClientVersion: 'js1.12.0',
          _InstallationId: 'i',
          _RevocableSession: '1',
        }),
      },
      { headers: { 'Content-Type': 'image/png' }, body: JSON.stringify({ ...logIn, _ApplicationId: server.appId }) },
      {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...logIn, _ApplicationId: server.appId }).toString(),
      },
      {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: JSON.stringify({ ...logIn, _ApplicationId: server.appId }),
      },
      { headers: { Authorization: basic('') }, body: JSON.stringify(logIn) },
      {
        headers: { Authorization: basic(`javascript-key=${server.context.keys.javascriptKey}`) },
        body: JSON.stringify(logIn),
      },
    ]
    for (const way of ways) expect([(await raw('/login', { method: 'POST', ...way })).status, way]).toEqual([200, way])
    const info = await raw('/serverInfo', { headers: { Authorization: basic(server.masterKey) } })
    expect(info.status).toBe(200)
  })

  test.each([
    ['none', {}, {}],
    ['a wrong one', { 'X-Parse-Application-Id': 'wrong' }, {}],
    ['a wrong one in the body', {}, { _ApplicationId: 'wrong' }],
    ['an object', {}, { _ApplicationId: { $ne: null } }],
    ['the name of a method', { 'X-Parse-Application-Id': 'constructor' }, {}],
  ])('P4: %s for an application id is 403 without a code', async (_name, extra, body) => {
    const answer = await raw('/login', {
      method: 'POST',
      headers: extra as Record<string, string>,
      body: JSON.stringify({ ...logIn, ...body }),
    })
    expect([answer.status, answer.json()]).toEqual([403, { error: 'unauthorized', reason: 'unauthorized' }])
  })

  test('credentials in the body are never stored', async () => {
    const { body } = await server.call('POST', '/users', {
      username: 'strip',
      password: 'x',
      _ApplicationId: server.appId,
      _MasterKey: 'm',
      _ContentType: 'c',
      _noBody: true,
    })
    const rows = await server.context.db.query(sql`select * from "_User" where "objectId" = ${body.objectId}`)
    expect(Object.keys(rows[0] ?? {}).filter((name) => /^_(Application|Master|Content|no)/.test(name))).toEqual([])
  })

  test('credentials that are objects are refused', async () => {
    for (const name of ['_SessionToken', '_MasterKey', '_InstallationId']) {
      const answer = await raw('/users/me', {
        method: 'POST',
        body: JSON.stringify({ _method: 'GET', _ApplicationId: server.appId, [name]: { $ne: null } }),
      })
      expect(answer.status).toBe(403)
    }
  })

  test('a wrong master key is no key at all; the right one from a foreign address is refused', async () => {
    const wrong = await server.call('GET', '/serverInfo', undefined, { headers: { 'X-Parse-Master-Key': 'wrong' } })
    expect([wrong.status, wrong.body]).toEqual([
      403,
      { error: 'unauthorized: master key is required', reason: 'unauthorized' },
    ])
    const away = await createTestServer({ masterKeyIps: ['10.0.0.0/8'] }, server.database)
    try {
      const refused = await away.call('GET', '/serverInfo', undefined, { master: true })
      expect(refused).toMatchObject({ status: 403, body: { reason: 'unauthorized' } })
      expect(refused.body.error).toContain('the master key may not be used from 127.0.0.1')
      expect(refused.body.error).toContain('masterKeyIps')
      expect(away.logs.join('')).toContain('outside masterKeyIps')
      const wrong = await away.call('GET', '/serverInfo', undefined, { headers: { 'X-Parse-Master-Key': 'wrong' } })
      expect(wrong.body.error).toBe('unauthorized: master key is required')
    } finally {
      await away.stop()
    }
  })

  test('P15: an address in X-Forwarded-For counts only where a proxy is trusted', async () => {
    const spoof = { headers: { 'X-Forwarded-For': '127.0.0.1' } }
    const away = await createTestServer({ masterKeyIps: ['10.1.2.3'] }, server.database)
    const behind = await createTestServer({ masterKeyIps: ['10.1.2.3'], trustProxy: 1 }, server.database)
    try {
      expect(
        (await away.call('GET', '/serverInfo', undefined, { master: true, headers: { 'X-Forwarded-For': '10.1.2.3' } }))
          .status,
      ).toBe(403)
      expect(
        (
          await behind.call('GET', '/serverInfo', undefined, {
            master: true,
            headers: { 'X-Forwarded-For': '10.1.2.3' },
          })
        ).status,
      ).toBe(200)
      expect((await behind.call('GET', '/serverInfo', undefined, { master: true, ...spoof })).status).toBe(403)
    } finally {
      await away.stop()
      await behind.stop()
    }
  })

  test('a JavaScript key that the operator set must be sent', async () => {
    const keyed = await createTestServer({ javascriptKey: 'js-key' }, server.database)
    try {
      const me = (extra: Record<string, string>) => keyed.call('GET', '/users/me', undefined, { headers: extra })
      expect((await me({})).status).toBe(403)
      expect((await me({ 'X-Parse-Javascript-Key': 'wrong' })).status).toBe(403)
      expect((await me({ 'X-Parse-Javascript-Key': 'js-key' })).body.code).toBe(209)
      expect((await keyed.call('GET', '/serverInfo', undefined, { master: true })).status).toBe(200)
    } finally {
      await keyed.stop()
    }
  })

  test('S30: ignores an identity claimed in a header', async () => {
    const { objectId } = await server.signUp('claimed')
    const { body } = await server.call('GET', '/users/me', undefined, {
      headers: { 'X-User-Id': objectId, 'X-Wallet': '0x1', 'X-Parse-User': objectId },
    })
    expect(body.code).toBe(209)
  })
})

describe('requests', () => {
  test('a POST becomes what _method says; other methods do not', async () => {
    const answer = await raw('/login', {
      method: 'POST',
      body: JSON.stringify({ ...logIn, _method: 'get', _ApplicationId: server.appId }),
    })
    expect(answer.status).toBe(200)
    for (const method of ['PATCH', 5, null, { $ne: 1 }]) {
      const { status, json } = await raw('/login', {
        method: 'POST',
        body: JSON.stringify({ ...logIn, _method: method, _ApplicationId: server.appId }),
      })
      expect([status, json().code]).toEqual([400, 107])
    }
  })

  test('slashes at the end, doubled slashes and case of a path are forgiven', async () => {
    for (const path of ['/LOGIN', '/login/', '//login', '/Login//']) {
      expect([(await server.call('POST', path, logIn)).status, path]).toEqual([200, path])
    }
  })

  test.each([
    ['{"broken', 107],
    ['[1,2]', 107],
    ['"text"', 107],
    ['null', 107],
    ['5', 107],
  ])('the body %s is refused with %i', async (body, code) => {
    const answer = await server.call('POST', '/login', body)
    expect([answer.status, answer.body.code]).toEqual([400, code])
  })

  test('a body over the limit is refused, and nothing is read of it', async () => {
    const small = await createTestServer({ maxUploadSize: 1000 }, server.database)
    try {
      expect(await small.call('POST', '/users', { username: 'x'.repeat(2000), password: 'x' })).toMatchObject({
        status: 413,
        body: { code: 116 },
      })
    } finally {
      await small.stop()
    }
  })

  test('a context that is no object is refused', async () => {
    for (const value of ['5', '[1]', 'x', 'null']) {
      const { status, body } = await server.call('POST', '/login', logIn, {
        headers: { 'X-Parse-Cloud-Context': value },
      })
      expect([status, body]).toEqual([
        400,
        expect.objectContaining({ code: 107, error: 'Invalid object for context.' }),
      ])
    }
    expect(
      (await server.call('POST', '/login', logIn, { headers: { 'X-Parse-Cloud-Context': '{"a":1}' } })).status,
    ).toBe(200)
  })

  test('unknown paths are 404, with any name', async () => {
    for (const path of [
      '/nothing',
      '/constructor',
      '/__proto__',
      '/users/a/b/c',
      '/%00',
      '/%E0%A4%A',
      `/${'x'.repeat(2000)}`,
    ]) {
      const { status, body } = await server.call('GET', path)
      expect([status >= 400 && status < 500, typeof body.error, path]).toEqual([true, 'string', path])
    }
  })

  test('an address that cannot be decoded gets the usual error', async () => {
    const { status, json } = await raw('/chain/1/transactions/%E0%A4%A')
    expect([status, json()]).toEqual([
      400,
      expect.objectContaining({ code: 107, error: 'The request cannot be read.' }),
    ])
  })

  test('every response has a request id, and so has the log', async () => {
    const { headers: answered } = await server.call('GET', '/users/me')
    const id = answered.get('x-request-id')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(server.logs.some((line) => JSON.parse(line).requestId === id)).toBe(true)
  })

  test('the health of the API can be asked by any method, without keys', async () => {
    for (const method of ['GET', 'POST']) {
      const { status, json } = await raw('/health', { method, ...(method === 'POST' && { body: '{"_method":"GET"}' }) })
      expect([status, json()]).toEqual([200, { status: 'ok' }])
    }
  })
})

describe('refusals', () => {
  test('R23: over the limit is 429 with the limit in headers and body', async () => {
    const strict = await createTestServer(
      {
        rateLimit: [
          {
            requestPath: '/login',
            requestTimeWindow: 60_000,
            requestCount: 2,
            includeInternalRequests: true,
            errorResponseMessage: 'Slow down.',
          },
        ],
      },
      server.database,
    )
    try {
      const tries = []
      // Variants of one path count as one (P14).
      for (const path of ['/login', '/LOGIN/', '/login'])
        tries.push(await strict.call('POST', path, { username: 'a', password: 'b' }))
      expect(tries.map(({ status }) => status)).toEqual([404, 404, 429])
      expect(tries[0]?.headers.get('ratelimit-remaining')).toBe('1')
      expect(tries[2]?.body).toMatchObject({ code: 155, error: 'Slow down.' })
      const seconds = Number(tries[2]?.headers.get('retry-after'))
      expect(seconds > 0 && seconds <= 60).toBe(true)
      expect([tries[2]?.headers.get('ratelimit-limit'), tries[2]?.headers.get('ratelimit-remaining')]).toEqual([
        '2',
        '0',
      ])
      const overridden = await strict.call('POST', '/login', { _method: 'GET', username: 'a', password: 'b' })
      expect(overridden.status).toBe(429)
      strict.clock.forward(61_000)
      expect((await strict.call('POST', '/login', { username: 'a', password: 'b' })).status).toBe(404)
    } finally {
      await strict.stop()
    }
  })

  test('S31: a network of IPv6 addresses is counted as one caller; IPv4 in IPv6 clothes as what it is', async () => {
    const rule = {
      requestPath: '/login',
      requestTimeWindow: 60_000,
      requestCount: 1,
      errorResponseMessage: 'Slow down.',
    }
    const strict = await createTestServer({ rateLimit: [rule], trustProxy: true })
    const from = async (address: string) =>
      (
        await strict.call(
          'POST',
          '/login',
          { username: 'a', password: 'b' },
          { headers: { 'X-Forwarded-For': address } },
        )
      ).status
    try {
      expect([await from('2001:db8:1:2::1'), await from('2001:db8:1:2:a:b:c:d')]).toEqual([404, 429])
      expect(await from('2001:db8:1:3::1')).toBe(404)
      expect([await from('203.0.113.7'), await from('::ffff:203.0.113.7')]).toEqual([404, 429])
      // A caller that claims to be the machine itself is counted all the same.
      expect([await from('::1'), await from('::1')]).toEqual([404, 429])
      expect([await from('127.0.0.1'), await from('127.0.0.1')]).toEqual([404, 429])
    } finally {
      await strict.stop()
    }
  })

  test('P17: a fault in the server shows no SQL, no stack and no path', async () => {
    await server.context.db.query(sql`alter table "_Session" rename to "_Session_away"`)
    try {
      const { status, body, text } = await server.call('GET', '/users/me', undefined, {
        token: 'r:11111111111111111111111111111111',
      })
      expect([status, body.code]).toEqual([500, errorCodes.InternalServerError])
      expect(text).not.toMatch(/select|_Session|relation|\.ts|node_modules/i)
    } finally {
      await server.context.db.query(sql`alter table "_Session_away" rename to "_Session"`)
    }
  })

  test('S34: passwords, tokens and keys are in no log line', async () => {
    const { token } = await server.signUp('quiet', { email: 'quiet@example.com' })
    await server.call('GET', '/login?username=quiet&password=quiet%20password')
    await server.call('GET', '/users/me', undefined, { token })
    server.context.log.info(
      { headers: { 'x-parse-session-token': token, authorization: 'Basic abc' }, body: { password: 'quiet password' } },
      'a line that should not have been written',
    )
    server.context.log.info(
      { password: 'quiet password', sessionToken: token, a: { b: { masterKey: server.masterKey } } },
      'another one',
    )
    await new Promise((resolve) => setTimeout(resolve, 20))
    const log = server.logs.join('')
    for (const secret of [token, token.slice(2), 'quiet password', 'quiet%20password', server.masterKey, 'Basic abc'])
      expect(log).not.toContain(secret)
  })
})

test('the description of the API names every endpoint', async () => {
  type Description = { paths: Record<string, Record<string, { operationId: string }>> }
  const description = (await (await fetch(`${server.url}/openapi.json`)).json()) as Description
  const operations = Object.values(description.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  )
  const known = { ...endpoints, ...chainEndpoints }
  expect(Object.keys(known).filter((name) => !operations.includes(name))).toEqual([])
  for (const [name, { method, path }] of Object.entries(known)) {
    const described = description.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    expect([name, described?.operationId]).toEqual([name, name])
  }
  expect(new Set(operations).size).toBe(operations.length)
})

test('P13: the API description is created once, for any number of requests', async () => {
  const read = async () => (await fetch(`${server.url}/openapi.json`)).text()
  const first = await read()
  const before = process.cpuUsage()
  for (let index = 0; index < 20; index++) expect((await read()).length).toBe(first.length)
  // Made again each time, it took 2,500 and more.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_200)
})

test('the description says whose an endpoint is, its resource and what it refuses with', async () => {
  type Described = { tags: string[]; 'x-access'?: string; 'x-operators'?: string[]; 'x-reasons'?: object }
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Described>>
  }
  expect(paths['/console/operators/{objectId}']?.put).toMatchObject({
    tags: ['console'],
    'x-access': 'operator',
    'x-operators': ['admin'],
    'x-reasons': { lastAdmin: expect.stringContaining('last administrator') },
  })
  expect(paths['/schemas']?.get).toMatchObject({ tags: ['schemas'], 'x-access': 'master' })
  const open = paths['/classes/{className}']?.get
  expect(open).toMatchObject({ tags: ['classes'] })
  expect(open).not.toHaveProperty('x-access')
})
