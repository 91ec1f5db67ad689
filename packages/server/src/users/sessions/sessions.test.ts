import { describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { createTestServer } from '../../testing/createTestServer.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests()

const me = (token: string) => server.call('GET', '/users/me', undefined, { token })

describe('sessions', () => {
  test('R18: a session shows its user, origin, address and expiry', async () => {
    const user = await server.signUp('sam')
    const { body } = await server.call('GET', '/sessions/me', undefined, {
      token: user.token,
      headers: { 'X-Parse-Installation-Id': 'i1' },
    })
    expect(body).toEqual({
      objectId: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      user: { __type: 'Pointer', className: '_User', objectId: user.objectId },
      createdWith: { action: 'signup', authProvider: 'password' },
      expiresAt: { __type: 'Date', iso: expect.any(String) },
      ipAddress: '127.0.0.1',
      userAgent: expect.any(String),
      lastUsedAt: { __type: 'Date', iso: expect.any(String) },
      current: true,
      sessionToken: user.token,
    })
    const days = (Date.parse((body.expiresAt as { iso: string }).iso) - server.clock.now().getTime()) / 86_400_000
    expect(days).toBeGreaterThan(364)
  })

  test('a session is read with its user', async () => {
    const { objectId, token } = await server.signUp('whole')
    const own = await server.call('GET', '/sessions/me', undefined, { token })
    const { status, body } = await server.call('GET', `/sessions/${own.body.objectId}?include=user`, undefined, {
      token,
    })
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ __type: 'Object', objectId, username: 'whole' })
  })

  test('S27: a token that was logged out is refused at once', async () => {
    const { token } = await server.signUp('out')
    expect((await me(token)).status).toBe(200)
    expect((await server.call('POST', '/logout', {}, { token })).body).toEqual({})
    expect(await me(token)).toMatchObject({ status: 400, body: { code: 209, error: 'Invalid session token' } })
  })

  test('a session’s user is served from memory, and read again after a change', async () => {
    const { token, objectId } = await server.signUp('remembered')
    const first = (await me(token)).body
    expect((await me(token)).body).toEqual(first)
    await server.call('PUT', `/users/${objectId}`, { motto: 'new' }, { token })
    expect((await me(token)).body).toEqual({
      ...first,
      motto: 'new',
      updatedAt: expect.any(String),
    })
    await server.call('POST', '/logout', {}, { token })
    expect((await me(token)).body).toMatchObject({ code: 209 })
  })

  test('a page with a cookie gets no token, with any earlier response to the same session', async () => {
    const { token } = await server.signUp('both')
    expect((await me(token)).body.sessionToken).toBe(token)
    const options = {
      headers: { 'X-Countersign-Session': 'cookie', Cookie: `countersign=${encodeURIComponent(token)}` },
    }
    const { status, body } = await server.call('GET', '/users/me', undefined, options)
    expect([status, body.username, body.sessionToken]).toEqual([200, 'both', undefined])
    expect((await me(token)).body.sessionToken).toBe(token)
  })

  test('log-out with a session that is gone, or without one, is done already', async () => {
    for (const token of ['r:00000000000000000000000000000000', 'nonsense', undefined]) {
      const { status, body } = await server.call('POST', '/logout', {}, token ? { token } : {})
      expect([status, body]).toEqual([200, {}])
    }
  })

  test('a session ends when its time is over, and says so', async () => {
    const short = await createTestServer({ sessionLength: 60 }, server.database)
    try {
      const { token } = await short.signUp('brief')
      expect((await short.call('GET', '/users/me', undefined, { token })).status).toBe(200)
      short.clock.forward(61_000)
      const { body } = await short.call('GET', '/users/me', undefined, { token })
      expect(body).toMatchObject({ code: 209, error: 'Session token is expired.' })
    } finally {
      await short.stop()
    }
  })

  test('tokens are stored as hashes only', async () => {
    const { token } = await server.signUp('hashed')
    const rows = await server.context.db.query(sql`select * from "_Session"`)
    const stored = JSON.stringify(rows, (_key, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    )
    expect(stored).not.toContain(token)
    expect(stored).not.toContain(token.slice(2))
  })

  test('a token that is checked first fails every route, also those that need none', async () => {
    for (const [method, path, body] of [
      ['GET', '/users/me', undefined],
      ['GET', '/sessions', undefined],
      ['POST', '/requestPasswordReset', { email: 'x@example.com' }],
    ] as const) {
      expect((await server.call(method, path, body, { token: 'r:ffffffffffffffffffffffffffffffff' })).body.code).toBe(
        209,
      )
    }
  })

  test('one installation has one session of a user; others stay', async () => {
    await server.signUp('device')
    const logIn = async (installation: string) => {
      const { body } = await server.call(
        'POST',
        '/login',
        { username: 'device', password: 'device password' },
        { headers: { 'X-Parse-Installation-Id': installation } },
      )
      return body.sessionToken as string
    }
    const [first, second, third] = [await logIn('one'), await logIn('two'), await logIn('one')]
    expect((await me(first)).body.code).toBe(209)
    expect((await me(second)).status).toBe(200)
    expect((await me(third)).status).toBe(200)
    // An empty id is none, so that two devices do not count as one.
    const [fourth, fifth] = [await logIn(''), await logIn('')]
    for (const session of [fourth, fifth]) expect((await me(session)).status).toBe(200)
  })

  test('permissions to see and end sessions', async () => {
    const owner = await server.signUp('session-owner')
    const other = await server.signUp('session-other')
    const { body: opened } = await server.call(
      'POST',
      '/sessions',
      { user: 'somebody', sessionToken: 'r:mine' },
      { token: owner.token },
    )
    expect(opened).toMatchObject({
      createdWith: { action: 'create' },
      sessionToken: expect.stringMatching(/^r:[0-9a-f]{32}$/),
    })
    const path = `/sessions/${opened.objectId}`

    const list = await server.call('GET', '/sessions', undefined, { token: owner.token })
    expect((list.body.results as object[]).length).toBe(2)
    expect((list.body.results as { sessionToken?: string }[]).filter((row) => row.sessionToken)).toHaveLength(0)
    expect((await server.call('GET', '/sessions')).body.code).toBe(209)
    expect((await server.call('GET', path, undefined, { token: other.token })).body.code).toBe(101)
    expect((await server.call('GET', path, undefined, { token: owner.token })).status).toBe(200)
    expect((await server.call('DELETE', path, undefined, { token: other.token })).body.code).toBe(209)
    expect((await server.call('DELETE', path)).body.code).toBe(209)
    expect((await me(opened.sessionToken as string)).status).toBe(200)
    expect((await server.call('DELETE', path, undefined, { token: owner.token })).body).toEqual({})
    expect((await me(opened.sessionToken as string)).body.code).toBe(209)
  })

  test.each(['sessionToken', 'user', 'expiresAt', 'createdWith', 'installationId', 'ACL', 'createdWith.action'])(
    'P7: %s of a session cannot be written, not even as null',
    async (field) => {
      const { token } = await server.signUp(`fixed-${field}`)
      const { body: session } = await server.call('GET', '/sessions/me', undefined, { token })
      for (const value of [null, 'x', { __op: 'Delete' }]) {
        const { status, body } = await server.call(
          'PUT',
          `/sessions/${session.objectId}`,
          { [field]: value },
          { token },
        )
        expect([status, body.code]).toEqual([400, 105])
      }
      const { body: after } = await server.call('GET', '/sessions/me', undefined, { token })
      expect(after).toEqual(session)
    },
  )

  test('fields of the application can be kept in a session', async () => {
    const { token } = await server.signUp('custom')
    const { body: session } = await server.call('GET', '/sessions/me', undefined, { token })
    const { body } = await server.call(
      'PUT',
      `/sessions/${session.objectId}`,
      { theme: 'dark', visits: { __op: 'Increment', amount: 1 } },
      { token },
    )
    expect(body).toEqual({ updatedAt: expect.any(String), visits: 1 })
    expect((await server.call('GET', '/sessions/me', undefined, { token })).body).toMatchObject({
      theme: 'dark',
      visits: 1,
    })
  })

  test('all other sessions can be ended at once', async () => {
    const { token } = await server.signUp('many')
    const others = await Promise.all(
      Array.from(
        { length: 5 },
        async () =>
          (await server.call('POST', '/login', { username: 'many', password: 'many password' })).body
            .sessionToken as string,
      ),
    )
    for (const other of others) expect((await me(other)).status).toBe(200)
    expect((await server.call('POST', '/revokeOtherSessions', {}, { token })).body).toEqual({ revoked: 5 })
    for (const other of others) expect((await me(other)).body.code).toBe(209)
    expect((await me(token)).status).toBe(200)
  })

  test('a new password ends every session and returns a new one', async () => {
    const { token, objectId } = await server.signUp('renew')
    const other = (await server.call('POST', '/login', { username: 'renew', password: 'renew password' })).body
      .sessionToken as string
    const { body } = await server.call('PUT', `/users/${objectId}`, { password: 'second' }, { token })
    expect((await me(token)).body.code).toBe(209)
    expect((await me(other)).body.code).toBe(209)
    expect((await me(body.sessionToken as string)).status).toBe(200)

    const wrong = await server.call(
      'POST',
      '/changePassword',
      { currentPassword: 'first', newPassword: 'third' },
      { token: body.sessionToken as string },
    )
    expect(wrong.body).toMatchObject({ code: 101, error: 'The current password is incorrect.' })
    const right = await server.call(
      'POST',
      '/changePassword',
      { currentPassword: 'second', newPassword: 'third' },
      { token: body.sessionToken as string },
    )
    expect((await me(right.body.sessionToken as string)).status).toBe(200)
    expect((await me(body.sessionToken as string)).body.code).toBe(209)
    expect((await server.call('POST', '/login', { username: 'renew', password: 'third' })).status).toBe(200)
  })

  test('a revoke that meets a check on its way is not forgotten', async () => {
    for (let round = 0; round < 20; round++) {
      const { token } = await server.signUp(`meet${round}`)
      await Promise.all([me(token), me(token), server.call('POST', '/logout', {}, { token }), me(token), me(token)])
      expect((await me(token)).body.code).toBe(209)
    }
  })
})
