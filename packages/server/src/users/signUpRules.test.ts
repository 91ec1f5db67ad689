import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'

const invited = (token: string) => ({ headers: { 'X-Countersign-Invitation': token } })
const account = (name: string, email?: string) => ({ username: name, password: 'secret', ...(email && { email }) })

describe('methods', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await createTestServer({
      signIn: { methods: ['emailCode', 'passkey'] },
      emailCode: { enabled: true },
      rateLimit: [],
    })
  })
  afterAll(() => server.stop())

  test('a page is given those that are on, in their order', async () => {
    const { body } = await server.call('GET', '/auth/methods')
    expect(body).toEqual({
      methods: ['emailCode', 'passkey'],
      providers: [],
      emailCode: { signUp: true },
      signUp: { mode: 'open' },
    })
  })

  test('passwords are off in every form', async () => {
    const off = {
      status: 403,
      body: { code: 119, reason: 'signInMethodOff', error: 'Sign-in with password is not enabled on this server.' },
    }
    const { body: made } = await server.call('POST', '/users', account('kept'), { master: true })
    for (const [method, path, input] of [
      ['POST', '/users', account('mia')],
      ['POST', '/login', account('kept')],
      ['GET', '/login?username=kept&password=secret', undefined],
      ['POST', '/verifyPassword', account('kept')],
      ['POST', '/requestPasswordReset', { email: 'a@example.com' }],
      ['POST', '/resetPassword', { token: 'x'.repeat(40), password: 'y' }],
    ] as const) {
      expect(await server.call(method, path, input), path).toMatchObject(off)
    }
    const { body: session } = await server.call('POST', '/loginAs', { userId: made.objectId }, { master: true })
    const token = String(session.sessionToken)
    expect(await server.call('PUT', `/users/${made.objectId}`, { password: 'other' }, { token })).toMatchObject(off)
    const change = { currentPassword: 'secret', newPassword: 'other' }
    expect(await server.call('POST', '/changePassword', change, { token })).toMatchObject(off)
    expect(await server.call('POST', '/auth/reauthenticate', { password: 'secret' }, { token })).toMatchObject(off)
  })

  test('a batch is no way around it, nor is the body of an older client', async () => {
    const { body } = await server.call('POST', '/batch', {
      requests: [{ method: 'POST', path: '/server/users', body: account('batch') }],
    })
    expect(body).toMatchObject([{ error: { code: 119 } }])
    const older = { ...account('kept'), _method: 'GET', _ApplicationId: server.appId }
    expect((await server.call('POST', '/login', older)).body.reason).toBe('signInMethodOff')
  })

  test('so are wallets and providers', async () => {
    const wallet = { address: '0x52908400098527886E0F7030069857D2E4169EE7' }
    for (const [path, input] of [
      ['/auth/challenge', { address: wallet.address }],
      ['/auth/signInWithWallet', { message: 'x', signature: '0x00' }],
      ['/users', { authData: { moralisEth: { id: wallet.address, signature: '0x00', data: 'x' } } }],
    ] as const) {
      const { status, body } = await server.call('POST', path, input, { headers: { 'X-Parse-Installation-Id': 'one' } })
      expect([status, body.reason], path).toEqual([403, 'signInMethodOff'])
    }
  })
})

describe('invitations', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await createTestServer({ signUp: { mode: 'invitation' }, emailCode: { enabled: true }, rateLimit: [] })
  })
  afterAll(() => server.stop())

  const invite = async (input: object = {}) =>
    (await server.call('POST', '/auth/invitations', input, { master: true })).body

  test('sign-up requires one, by any method, except with the master key', async () => {
    expect((await server.call('POST', '/users', account('alone'))).body.reason).toBe('invitationRequired')
    const guest = { authData: { anonymous: { id: '0123456789abcdef0123' } } }
    expect((await server.call('POST', '/users', guest)).body.reason).toBe('invitationRequired')
    expect((await server.call('POST', '/users', account('wrong'), invited('x'.repeat(40)))).body.reason).toBe(
      'invitationInvalid',
    )
    expect((await server.call('POST', '/users', account('byMaster'), { master: true })).status).toBe(201)
    expect((await server.call('POST', '/auth/invitations', {})).status).toBe(403)
  })

  test('one makes one account, also of twenty at once, and brings its role', async () => {
    await server.call('POST', '/roles', { name: 'editors', ACL: { '*': { read: true } } }, { master: true })
    const { token, url, objectId } = await invite({ role: 'editors', note: 'for Mia' })
    expect(url).toContain(`/sign-up?invitation=${token}`)
    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        server.call('POST', '/users', account(`many${at}`), invited(String(token))),
      ),
    )
    const [made] = tries.filter(({ status }) => status === 201)
    expect(tries.filter(({ body }) => body.reason === 'invitationInvalid')).toHaveLength(19)
    const { body } = await server.call('GET', '/auth/invitations', undefined, { master: true })
    const listed = (body.results as { objectId: string }[]).find((one) => one.objectId === objectId)
    expect(listed).toMatchObject({ role: 'editors', note: 'for Mia', usedBy: made?.body.objectId })
    expect(JSON.stringify(body)).not.toContain(String(token))
    const where = { users: { __type: 'Pointer', className: '_User', objectId: made?.body.objectId } }
    const roles = await server.call('GET', `/roles?where=${encodeURIComponent(JSON.stringify(where))}`, undefined, {
      master: true,
    })
    expect(roles.body.results).toMatchObject([{ name: 'editors' }])
  })

  test('a failed sign-up keeps it; one for an address fits no other; all expire', async () => {
    const { token } = await invite({ email: 'nia@example.com' })
    const by = invited(String(token))
    expect((await server.call('POST', '/users', account('nia', 'other@example.com'), by)).body.reason).toBe(
      'invitationInvalid',
    )
    expect((await server.call('POST', '/users', account('byMaster', 'nia@example.com'), by)).body.code).toBe(202)
    expect((await server.call('POST', '/users', account('nia', 'NIA@example.com'), by)).status).toBe(201)

    const late = await invite({ days: 1 })
    const withdrawn = await invite()
    server.clock.forward(24 * 3600_000)
    await server.call('DELETE', `/auth/invitations/${withdrawn.objectId}`, undefined, { master: true })
    for (const one of [late, withdrawn]) {
      expect((await server.call('POST', '/users', account('late'), invited(String(one.token)))).body.reason).toBe(
        'invitationInvalid',
      )
    }
    expect((await server.call('POST', '/auth/invitations', { role: 'nobody' }, { master: true })).status).toBe(404)
  })

  test('a code by email makes an account with one, and is not mailed to strangers without', async () => {
    const email = 'coded@example.com'
    const browser = { 'X-Parse-Installation-Id': 'browser-1' }
    const mails = async () => {
      await server.context.background.settle()
      const { body } = await server.call('GET', '/outbox', undefined, { master: true })
      return (body.results as { to: string; text: string }[]).filter(({ to }) => to === email)
    }
    expect((await server.call('POST', '/auth/emailCode', { email }, { headers: browser })).status).toBe(200)
    expect(await mails()).toEqual([])
    const headers = { ...browser, 'X-Countersign-Invitation': String((await invite()).token) }
    const { body } = await server.call('POST', '/auth/emailCode', { email }, { headers })
    const code = /\b\d{6}\b/.exec((await mails()).at(-1)?.text ?? '')?.[0]
    const answer = await server.call('POST', '/auth/signInWithEmailCode', { handle: body.handle, code }, { headers })
    expect(answer.body).toMatchObject({ email, emailVerified: true })
  })
})

test('only addresses of the named domains sign up', async () => {
  const server = await createTestServer({ signUp: { emailDomains: ['example.com'] } })
  try {
    for (const email of [undefined, 'a@example.org', 'a@sub.example.com', 'a@example.com@example.org']) {
      const { status } = await server.call('POST', '/users', account('a', email))
      expect([400, 403], String(email)).toContain(status)
    }
    expect((await server.call('POST', '/users', account('a'))).body.reason).toBe('emailDomainNotAllowed')
    expect((await server.call('POST', '/users', account('a', 'a@EXAMPLE.com'))).status).toBe(201)
    const { body } = await server.call('GET', '/auth/methods')
    expect(body.signUp).toEqual({ mode: 'open', emailDomains: ['example.com'] })
  } finally {
    await server.stop()
  }
})

test('a closed server takes no new accounts', async () => {
  const server = await createTestServer({ signUp: { mode: 'closed' } })
  try {
    expect((await server.call('POST', '/users', account('a'))).body.reason).toBe('signUpClosed')
  } finally {
    await server.stop()
  }
})
