import { headers } from '@countersign/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import { createRawCall } from '../../testing/createRawCall.ts'
import { createTestServer } from '../../testing/createTestServer.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests()
beforeAll(async () => {
  await server.signUp('gus')
})

const logIn = { username: 'gus', password: 'gus password' }

const { raw } = createRawCall(() => server)

describe('cross-origin', () => {
  test('OPTIONS works everywhere, and allows the headers of older clients', async () => {
    for (const path of ['/users', '/functions/anything', '/nothing', '']) {
      const { status, headers: answered } = await raw(path, {
        method: 'OPTIONS',
        headers: { Origin: 'https://dapp.example', 'Access-Control-Request-Method': 'POST' },
      })
      expect([status, answered.get('access-control-allow-origin'), path]).toEqual([200, '*', path])
      const allowed = (answered.get('access-control-allow-headers') ?? '').toLowerCase().split(', ')
      expect(allowed).toEqual(
        expect.arrayContaining([
          'x-parse-master-key',
          'x-parse-rest-api-key',
          'x-parse-javascript-key',
          'x-parse-application-id',
          'x-parse-client-version',
          'x-parse-session-token',
          'x-requested-with',
          'x-parse-revocable-session',
          'x-parse-request-id',
          'content-type',
          'pragma',
          'cache-control',
          'authorization',
          'x-moralis-platform',
          'x-moralis-platform-version',
          'x-moralis-build-target',
        ]),
      )
      expect(answered.get('access-control-expose-headers')?.split(', ')).toContain('X-Parse-Job-Status-Id')
    }
  })

  test('S18: no other origin may send the cookie session, unless the operator named it', async () => {
    const named = await createTestServer({ allowOrigin: ['https://app.example'] }, server.database)
    try {
      const ask = async (origin: string) =>
        (await fetch(`${named.serverUrl}/users/me`, { method: 'OPTIONS', headers: { Origin: origin } })).headers
      const stranger = await ask('https://evil.example')
      expect(stranger.get('access-control-allow-headers')?.toLowerCase()).not.toContain(
        headers.sessionTransport.toLowerCase(),
      )
      expect(stranger.get('access-control-allow-credentials')).toBeNull()
      const friend = await ask('https://app.example')
      expect(friend.get('access-control-allow-origin')).toBe('https://app.example')
      expect(friend.get('access-control-allow-credentials')).toBe('true')
    } finally {
      await named.stop()
    }
  })
})

describe('the cookie session', () => {
  const app = { 'X-Countersign-Session': 'cookie' }

  async function signIn(): Promise<string> {
    const { headers: answered, body } = await server.call('POST', '/login', logIn, { headers: app })
    expect(body).not.toHaveProperty('sessionToken')
    const cookie = answered.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^countersign=r%3A[0-9a-f]{32}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/)
    return cookie.split(';')[0] as string
  }

  test('S25: the token is only in the cookie, never in a response', async () => {
    const cookie = await signIn()
    const me = await server.call('GET', '/users/me', undefined, { headers: { ...app, Cookie: cookie } })
    expect([me.status, me.body.username]).toEqual([200, 'gus'])
    for (const path of ['/users/me', '/sessions/me', '/sessions']) {
      const { text } = await server.call('GET', path, undefined, { headers: { ...app, Cookie: cookie } })
      expect(text).not.toContain(decodeURIComponent(cookie.split('=')[1] as string))
    }
  })

  test('S18: without the header, or from another origin, the cookie does not count', async () => {
    const cookie = await signIn()
    const attempts: Record<string, string>[] = [
      { Cookie: cookie },
      { Cookie: cookie, ...app, Origin: 'https://evil.example' },
      { Cookie: cookie, ...app, Origin: 'null' },
      { Cookie: cookie, ...app, 'Sec-Fetch-Site': 'cross-site' },
    ]
    for (const extra of attempts)
      expect((await server.call('GET', '/users/me', undefined, { headers: extra })).body.code).toBe(209)
    const own = await server.call('GET', '/users/me', undefined, {
      headers: { Cookie: cookie, ...app, Origin: server.url },
    })
    expect(own.status).toBe(200)
  })

  test('warns a page whose cookie cannot work, and logs it once', async () => {
    const at = (origin: string, on = server) =>
      on.call('GET', '/users/me', undefined, { headers: { ...app, Origin: origin } })
    const notice = async (origin: string, on = server) =>
      (await at(origin, on)).headers.get('X-Countersign-Notice') ?? undefined
    expect(await notice(server.url)).toBeUndefined()
    expect(await notice('https://id.acme.example')).toBe(`cookie-origin ${server.context.publicUrl}`)
    expect(await notice('https://id.acme.example')).toBeDefined()
    expect(server.logs.filter((line) => line.includes('requested a cookie') && line.includes('id.acme'))).toHaveLength(
      1,
    )
    const plain = await server.call('GET', '/users/me', undefined, { headers: { Origin: 'https://id.acme.example' } })
    expect(plain.headers.get('X-Countersign-Notice')).toBeNull()

    const secure = await createTestServer(
      { publicUrl: 'https://id.acme.example', allowOrigin: ['http://pages.acme.example'] },
      server.database,
    )
    try {
      expect(await notice('https://id.acme.example', secure)).toBeUndefined()
      expect(await notice('http://pages.acme.example', secure)).toBe('cookie-insecure https://id.acme.example')
      expect(secure.logs.join('')).toContain('the browser will not store the cookie')
      // Browsers keep such a cookie on the machine itself.
      expect(await notice(`http://localhost:${new URL(secure.url).port}`, secure)).not.toMatch(/insecure/)
    } finally {
      await secure.stop()
    }
  })

  test('a cookie that cannot be read is no session', async () => {
    for (const value of ['%E0%A4%A', '%', 'r%3Azz', '']) {
      const { status, body } = await server.call('GET', '/users/me', undefined, {
        headers: { ...app, Cookie: `countersign=${value}` },
      })
      expect([status, body.code]).toEqual([400, 209])
    }
  })

  test('S16: every sign-in makes a new session; a planted cookie is not taken over', async () => {
    const planted = 'countersign=r%3A00000000000000000000000000000000'
    const { headers: answered } = await server.call('POST', '/login', logIn, { headers: { ...app, Cookie: planted } })
    expect(answered.get('set-cookie')).not.toContain('00000000000000000000000000000000')
  })

  test('log-out, and a session that ended elsewhere, clear the cookie', async () => {
    const cookie = await signIn()
    const out = await server.call('POST', '/logout', {}, { headers: { ...app, Cookie: cookie } })
    expect(out.headers.get('set-cookie')).toMatch(/^countersign=; Path=\/; Max-Age=0/)
    const after = await server.call('GET', '/users/me', undefined, { headers: { ...app, Cookie: cookie } })
    expect([after.body.code, after.headers.get('set-cookie')]).toEqual([209, expect.stringMatching(/Max-Age=0/)])
  })

  test('under https the cookie is bound to its host', async () => {
    const secure = await createTestServer({ publicUrl: 'https://app.example' }, server.database)
    try {
      const { headers: answered } = await secure.call('POST', '/login', logIn, {
        headers: { ...app, Origin: 'https://app.example' },
      })
      expect(answered.get('set-cookie')).toMatch(/^__Host-countersign=.*; HttpOnly; SameSite=Lax; Secure$/)
    } finally {
      await secure.stop()
    }
  })
})
