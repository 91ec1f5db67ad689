import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Authenticator,
  type ChallengeOptions,
  createAuthenticator,
  type RegistrationOptions,
} from '../../testing/accounts/createAuthenticator.ts'
import { answerChallenge, installation } from '../../testing/answerChallenge.ts'
import { type Answer, createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { createWalletUser, type WalletUser } from '../../testing/createWalletUser.ts'
import { type Issuer, startIssuer } from '../../testing/startIssuer.ts'

let server: TestServer
let issuer: Issuer
beforeAll(async () => {
  issuer = await startIssuer()
  const { clientId, clientSecret } = issuer
  server = await createTestServer({
    rateLimit: [],
    emailCode: { enabled: true },
    auth: {
      acme: { type: 'oidc', issuer: issuer.url, clientId, clientSecret, label: 'Acme' },
      custom: { validateAuthData: async () => {} },
      pin: {
        policy: 'additional' as const,
        validateSetUp: async (data: { pin?: string }) => ({ save: { pin: data.pin ?? '' } }),
        validateLogin: async () => ({ doNotSave: true }),
        validateUpdate: async () => ({ doNotSave: true }),
      },
    },
  })
  server.clock.stop()
})
afterAll(async () => {
  await server.stop()
  await issuer.stop()
})

const as = (token: string) => ({ token, headers: installation })
const own = (token: string, path: string, method = 'GET', body?: object) => server.call(method, path, body, as(token))

/** Has the wallet of one account prove it for a merge into another, and carries that out. */
async function merge(into: WalletUser, from: WalletUser): Promise<{ id: string; preview: Answer }> {
  const preview = await own(
    into.token,
    '/auth/merges',
    'POST',
    await answerChallenge(server, from.account, 'merge', { token: into.token }),
  )
  expect(preview.status, preview.text).toBe(201)
  const id = String(preview.body.objectId)
  const done = await own(into.token, `/auth/merges/${id}`, 'POST', {})
  expect(done.status, done.text).toBe(200)
  return { id, preview }
}
const undo = async ({ token }: WalletUser, id: string) =>
  expect((await own(token, `/auth/merges/${id}`, 'DELETE')).status).toBe(200)

async function goToProvider(sub: string, browser: { [name: string]: string }, input: object = {}, token?: string) {
  const options = { headers: browser, ...(token && { token }) }
  const begun = await server.call('POST', '/auth/providers/acme/challenge', input, options)
  expect(begun.status, begun.text).toBe(200)
  issuer.next = { claims: { sub } }
  return issuer.approve(String(begun.body.url))
}
async function signInWithProvider(sub: string): Promise<Answer> {
  const browser = { 'X-Parse-Installation-Id': randomUUID() }
  return server.call('POST', '/auth/signInWithProvider', await goToProvider(sub, browser), { headers: browser })
}
async function linkProvider(user: WalletUser, sub: string): Promise<void> {
  const response = await goToProvider(sub, installation, { purpose: 'link' }, user.token)
  const linked = await own(user.token, '/auth/identities', 'POST', response)
  expect(linked.status, linked.text).toBeLessThan(300)
}
const signInWithCustom = (id: string) => server.call('POST', '/users', { authData: { custom: { id } } })

async function signInWithMail(email: string): Promise<Answer> {
  const headers = { 'X-Parse-Installation-Id': randomUUID() }
  // The outbox has the newest first.
  server.clock.forward(1_000)
  const asked = await server.call('POST', '/auth/emailCode', { email }, { headers })
  await server.context.background.settle()
  const { body } = await server.call('GET', '/outbox', undefined, { master: true })
  const mail = (body.results as { to: string; text: string }[]).find(
    ({ to, text }) => to === email && /\n\n\d{6}\n\n/.test(text),
  )
  const code = /\n\n(\d{6})\n\n/.exec(mail?.text ?? '')?.[1]
  return server.call('POST', '/auth/signInWithEmailCode', { handle: asked.body.handle, code }, { headers })
}

async function addPasskey(user: WalletUser): Promise<Authenticator> {
  const authenticator = createAuthenticator(server.context.publicUrl)
  const { body } = await own(user.token, '/auth/passkeys/registration', 'POST', {})
  const credential = authenticator.register(body.options as RegistrationOptions)
  expect((await own(user.token, '/auth/passkeys', 'POST', { credential })).status).toBe(201)
  return authenticator
}

async function assertPasskey(authenticator: Authenticator): Promise<object> {
  const { body } = await server.call('POST', '/auth/passkeys/challenge', {}, { headers: installation })
  return { credential: authenticator.assert(body.options as ChallengeOptions) }
}

async function addTotp(token: string): Promise<() => string> {
  const { body } = await own(token, '/auth/totp', 'POST', {})
  const codeNow = () =>
    new TOTP({ secret: Secret.fromBase32(String(body.secret)) }).generate({ timestamp: server.clock.ms() })
  expect((await own(token, '/auth/totp/confirm', 'POST', { code: codeNow() })).status).toBe(200)
  server.clock.forward(60_000)
  return codeNow
}

const pointer = ({ objectId }: WalletUser) => ({ __type: 'Pointer', className: '_User', objectId })

async function addDevice(user: WalletUser): Promise<string> {
  const made = await server.call(
    'POST',
    '/installations',
    {
      installationId: randomUUID(),
      deviceType: 'web',
      deviceToken: `https://push.example/${randomUUID()}`,
      pushKeys: { p256dh: 'hidden key', auth: 'hidden auth' },
      user: pointer(user),
    },
    { token: user.token },
  )
  expect(made.status, made.text).toBe(201)
  return String(made.body.objectId)
}

describe('a merge moves every sign-in method, and an undo returns it', () => {
  test('identities of OpenID Connect and of custom adapters', async () => {
    const [into, from] = [await createWalletUser(server), await createWalletUser(server)]
    const [sub, customId] = [randomUUID(), randomUUID()]
    await linkProvider(from, sub)
    await own(from.token, `/users/${from.objectId}`, 'PUT', { authData: { custom: { id: customId } } })
    const { id, preview } = await merge(into, from)
    expect(preview.body.identities).toMatchObject([
      { provider: 'acme', id: sub, name: 'Acme' },
      { provider: 'custom', id: customId },
    ])
    expect((await signInWithProvider(sub)).body.objectId).toBe(into.objectId)
    expect((await signInWithCustom(customId)).body.objectId).toBe(into.objectId)
    const { body } = await own(into.token, '/auth/signInMethods')
    expect(body.identities).toMatchObject([{ provider: 'acme' }, { provider: 'custom' }])
    const activity = await own(into.token, '/auth/activity')
    expect(activity.body.results).toContainEqual(
      expect.objectContaining({ action: 'merge', details: expect.objectContaining({ identities: 2 }) }),
    )
    await undo(into, id)
    expect((await signInWithProvider(sub)).body.objectId).toBe(from.objectId)
    expect((await signInWithCustom(customId)).body.objectId).toBe(from.objectId)
  })

  test('two identities at one provider both open the account that stays', async () => {
    const [into, from] = [await createWalletUser(server), await createWalletUser(server)]
    const [first, second] = [randomUUID(), randomUUID()]
    await linkProvider(into, first)
    await linkProvider(from, second)
    await merge(into, from)
    expect((await signInWithProvider(first)).body.objectId).toBe(into.objectId)
    expect((await signInWithProvider(second)).body.objectId).toBe(into.objectId)
  })

  test('identities that only confirm another method stay behind without a notice', async () => {
    const [into, from] = [await createWalletUser(server), await createWalletUser(server)]
    // The remaining account requires its own.
    for (const { token, objectId } of [from, into]) {
      const set = await own(token, `/users/${objectId}`, 'PUT', { authData: { pin: { pin: '1234' } } })
      expect(set.status, set.text).toBe(200)
    }
    const { id, preview } = await merge(into, from)
    expect(preview.body).not.toHaveProperty('identities')
    expect((await own(into.token, '/auth/signInMethods')).body.identities).toMatchObject([{ provider: 'pin' }])
    await undo(into, id)
    const back = await createWalletUser(server, from.account)
    expect(back.objectId).toBe(from.objectId)
    const { body } = await own(back.token, '/auth/signInMethods')
    expect(body.identities).toMatchObject([{ provider: 'pin', additional: true }])
  })

  test('passkeys, also as the second factor of the account that stays', async () => {
    const [into, from] = [await createWalletUser(server), await createWalletUser(server)]
    await addPasskey(into)
    await own(into.token, '/auth/secondFactor', 'PUT', { passkey: true })
    const moved = await addPasskey(from)
    const { id } = await merge(into, from)
    const proof = await answerChallenge(server, into.account, 'signIn')
    const first = await server.call('POST', '/auth/signInWithWallet', proof, { headers: installation })
    expect(first.body.reason).toBe('secondFactorRequired')
    const { ticket } = first.body.params as { ticket: string }
    const input = { ticket, ...(await assertPasskey(moved)) }
    const done = await server.call('POST', '/auth/signInWithSecondFactor', input, { headers: installation })
    expect(done.body.objectId, done.text).toBe(into.objectId)
    await undo({ ...into, token: String(done.body.sessionToken) }, id)
    const alone = await server.call('POST', '/auth/signInWithPasskey', await assertPasskey(moved), {
      headers: installation,
    })
    expect(alone.body.objectId, alone.text).toBe(from.objectId)
  })

  test('a code by email opens the account again once the merge is undone, and never the other one', async () => {
    const [into, from] = [await createWalletUser(server), await createWalletUser(server)]
    const email = `${randomUUID()}@example.com`
    await own(from.token, `/users/${from.objectId}`, 'PUT', { email })
    await server.call('PUT', `/users/${from.objectId}`, { emailVerified: true }, { master: true })
    expect((await signInWithMail(email)).body.objectId).toBe(from.objectId)
    const { id } = await merge(into, from)
    // The address belongs to no account now; a code would create a new one.
    expect((await own(into.token, '/auth/signInMethods')).body).not.toHaveProperty('emailCode')
    await undo(into, id)
    expect((await signInWithMail(email)).body.objectId).toBe(from.objectId)
  })

  test('an account with an authenticator app is not merged by its wallet; one that stays goes on asking', async () => {
    const [guarded, other] = [await createWalletUser(server), await createWalletUser(server)]
    const codeNow = await addTotp(guarded.token)
    const proof = await answerChallenge(server, guarded.account, 'merge', { token: other.token })
    const refused = await own(other.token, '/auth/merges', 'POST', proof)
    expect([refused.status, refused.body.reason]).toEqual([403, 'otherAccountHasSecondFactor'])

    await merge(guarded, other)
    // The wallet that came along asks for the same.
    const signed = await answerChallenge(server, other.account, 'signIn')
    const first = await server.call('POST', '/auth/signInWithWallet', signed, { headers: installation })
    expect(first.body.reason).toBe('secondFactorRequired')
    const { ticket } = first.body.params as { ticket: string }
    const done = await server.call(
      'POST',
      '/auth/signInWithSecondFactor',
      { ticket, code: codeNow() },
      { headers: installation },
    )
    expect(done.body.objectId, done.text).toBe(guarded.objectId)
  })

  test('devices that get pushes', async () => {
    const [into, from] = [await createWalletUser(server), await createWalletUser(server)]
    const device = await addDevice(from)
    const ownerOf = async () => {
      const { body } = await server.call('GET', `/installations/${device}`, undefined, { master: true })
      return (body.user as { objectId: string }).objectId
    }
    const { id } = await merge(into, from)
    expect(await ownerOf()).toBe(into.objectId)
    await undo(into, id)
    expect(await ownerOf()).toBe(from.objectId)
  })
})

describe('any sign-in to the other account proves it', () => {
  const prove = (into: WalletUser, sessionToken: string) => own(into.token, '/auth/merges', 'POST', { sessionToken })
  const refusal = ({ status, body }: Answer) => [status, body.reason]

  async function mergeBy(signIn: () => Promise<Answer>, prepare = async (_token: string) => {}): Promise<void> {
    const into = await createWalletUser(server)
    await prepare(into.token)
    const signedIn = await signIn()
    expect(signedIn.status, signedIn.text).toBeLessThan(300)
    const preview = await prove(into, String(signedIn.body.sessionToken))
    expect(preview.status, preview.text).toBe(201)
    expect(preview.body.from).toMatchObject({ objectId: signedIn.body.objectId })
    const id = String(preview.body.objectId)
    const done = await own(into.token, `/auth/merges/${id}`, 'POST', {})
    expect(done.status, done.text).toBe(200)
    expect((await server.call('GET', '/users/me', undefined, as(String(signedIn.body.sessionToken)))).status).toBe(400)
    await undo(into, id)
    expect((await signIn()).body.objectId).toBe(signedIn.body.objectId)
  }

  async function createNamed(): Promise<{ token: string; objectId: string; login: () => Promise<Answer> }> {
    const name = `named-${randomUUID()}`
    const made = await server.signUp(name)
    const login = () => server.call('POST', '/login', { username: name, password: `${name} password` })
    return { ...made, login }
  }

  test('a password', async () => {
    const { login } = await createNamed()
    await mergeBy(login)
  })

  test('a wallet', async () => {
    const { account } = await createWalletUser(server)
    await mergeBy(async () => {
      const signed = await answerChallenge(server, account, 'signIn')
      return server.call('POST', '/auth/signInWithWallet', signed, { headers: installation })
    })
  })

  test('a passkey', async () => {
    const authenticator = await addPasskey(await createWalletUser(server))
    await mergeBy(async () =>
      server.call('POST', '/auth/signInWithPasskey', await assertPasskey(authenticator), { headers: installation }),
    )
  })

  test('a provider, a custom adapter, a guest’s id, a code by email', async () => {
    const [sub, id, anonymous, email] = [randomUUID(), randomUUID(), randomUUID(), `${randomUUID()}@example.com`]
    await mergeBy(() => signInWithProvider(sub))
    await mergeBy(() => signInWithCustom(id))
    await mergeBy(() => server.call('POST', '/users', { authData: { anonymous: { id: anonymous } } }))
    await mergeBy(() => signInWithMail(email))
  })

  test('a second factor, which is there again after an undo, as are recovery codes and settings', async () => {
    const { token, login } = await createNamed()
    const { body: made } = await own(token, '/auth/recoveryCodes', 'POST', {})
    await own(token, '/auth/security', 'PUT', { signInAlerts: false })
    const codeNow = await addTotp(token)
    await mergeBy(
      async () => {
        server.clock.forward(60_000)
        const first = await login()
        expect(first.body.reason).toBe('secondFactorRequired')
        const { ticket } = first.body.params as { ticket: string }
        return server.call('POST', '/auth/signInWithSecondFactor', { ticket, code: codeNow() })
        // The account that stays must have one, too.
      },
      async (into) => void (await addTotp(into)),
    )
    server.clock.forward(60_000)
    const { ticket } = (await login()).body.params as { ticket: string }
    const code = (made.codes as string[])[0]
    const back = await server.call('POST', '/auth/signInWithSecondFactor', { ticket, code })
    expect(back.status, back.text).toBe(200)
    const security = await own(String(back.body.sessionToken), '/auth/security')
    expect(security.body).toMatchObject({ signInAlerts: false, recoveryCodes: { left: 9 } })
  })

  test('a session that is old, ended, made by the operator or the caller’s own does not', async () => {
    const into = await createWalletUser(server)
    const other = await createNamed()
    expect(refusal(await prove(into, into.token))).toEqual([400, 'mergeWithItself'])
    expect(refusal(await prove(into, 'r:nosuch'))).toEqual([403, 'otherAccountNotProven'])
    expect(refusal(await own(into.token, '/auth/merges', 'POST', {}))).toEqual([400, 'proofMissing'])
    const input = { userId: other.objectId }
    const { body: opened } = await server.call('POST', '/loginAs', input, { master: true })
    expect(refusal(await prove(into, String(opened.sessionToken)))).toEqual([403, 'otherAccountNotProven'])
    const { body: left } = await other.login()
    await server.call('POST', '/logout', {}, { token: String(left.sessionToken) })
    expect(refusal(await prove(into, String(left.sessionToken)))).toEqual([403, 'otherAccountNotProven'])
    const { body: stale } = await other.login()
    server.clock.forward(5 * 60_000 + 1)
    const fresh = await createWalletUser(server, into.account)
    expect(refusal(await prove(fresh, String(stale.sessionToken)))).toEqual([403, 'otherAccountNotProven'])
  })

  test('ending the session before the merge stops it; another user’s preview cannot be used', async () => {
    const [into, thief] = [await createWalletUser(server), await createWalletUser(server)]
    const other = await createNamed()
    const { body } = await other.login()
    const preview = await prove(into, String(body.sessionToken))
    const path = `/auth/merges/${preview.body.objectId}`
    expect(refusal(await own(thief.token, path, 'POST', {}))).toEqual([404, 'mergeNotFound'])
    await server.call('POST', '/revokeOtherSessions', {}, { token: other.token })
    expect(refusal(await own(into.token, path, 'POST', {}))).toEqual([403, 'mergeExpired'])
    expect((await other.login()).status).toBe(200)
  })

  test('the session serves for nothing longer than the preview', async () => {
    const into = await createWalletUser(server)
    const { login } = await createNamed()
    const { body } = await login()
    await prove(into, String(body.sessionToken))
    server.clock.forward(5 * 60_000 + 1)
    expect((await server.call('GET', '/users/me', undefined, { token: String(body.sessionToken) })).body.code).toBe(209)
  })
})

describe('an export has every sign-in method, and no secret of it', () => {
  type Exported = {
    user: { authData?: Record<string, object> }
    signInMethods: { identities?: object[]; emailCode?: true; passkeys: object[] }
    secondFactor: { totp: boolean; passkey: boolean; rememberedDevices: object[] }
    recoveryCodes: { left: number }
    invitations: object[]
    objects: Record<string, object[]>
  }
  const exported = async (token: string) => {
    const { status, text } = await server.call('GET', '/auth/export', undefined, as(token))
    expect(status, text).toBe(200)
    return { data: JSON.parse(text) as Exported, text }
  }

  test('identities of OpenID Connect and of custom adapters', async () => {
    const user = await createWalletUser(server)
    const [sub, customId] = [randomUUID(), randomUUID()]
    await linkProvider(user, sub)
    const given = { id: customId, access_token: 'hidden token' }
    await own(user.token, `/users/${user.objectId}`, 'PUT', { authData: { custom: given, pin: { pin: '987654' } } })
    const { data, text } = await exported(user.token)
    expect(data.signInMethods.identities).toMatchObject([
      { provider: 'acme', id: sub, name: 'Acme', linkedAt: expect.any(String) },
      { provider: 'custom', id: customId },
      { provider: 'pin', additional: true },
    ])
    expect(data.user.authData).toMatchObject({ acme: { id: sub }, custom: { id: customId } })
    expect(text).not.toMatch(/hidden token|987654/)
  })

  test('the code by email', async () => {
    const email = `${randomUUID()}@example.com`
    const { body } = await signInWithMail(email)
    const { data } = await exported(String(body.sessionToken))
    expect(data.signInMethods).toMatchObject({ password: false, emailCode: true })
  })

  test('authenticator app, passkey as second factor, remembered browsers, recovery codes', async () => {
    const name = `both-${randomUUID()}`
    const { token, objectId } = await server.signUp(name)
    await addPasskey({ token, objectId } as WalletUser)
    await own(token, '/auth/secondFactor', 'PUT', { passkey: true })
    const codeNow = await addTotp(token)
    const { body: made } = await own(token, '/auth/recoveryCodes', 'POST', {})
    const page = { 'X-Countersign-Session': 'cookie' }
    const input = { username: name, password: `${name} password` }
    const first = await server.call('POST', '/login', input, { headers: page })
    const { ticket } = first.body.params as { ticket: string }
    const step = { ticket, code: codeNow(), rememberDevice: true }
    const done = await server.call('POST', '/auth/signInWithSecondFactor', step, { headers: page })
    const device = done.headers.getSetCookie().find((cookie) => cookie.startsWith('countersign-device=')) ?? ''
    const { data, text } = await exported(token)
    expect(data.signInMethods.passkeys).toHaveLength(1)
    expect(data.secondFactor).toEqual({
      totp: true,
      passkey: true,
      required: false,
      rememberedDevices: [{ createdAt: expect.any(String), expiresAt: expect.any(String) }],
    })
    expect(data.recoveryCodes).toMatchObject({ left: 10 })
    const secrets = [...(made.codes as string[]), /=([^;]+)/.exec(device)?.[1] ?? 'no cookie']
    for (const secret of secrets) expect(text).not.toContain(secret)
  })

  test('devices that get pushes, without where they are reached', async () => {
    const [user, other] = [await createWalletUser(server), await createWalletUser(server)]
    const device = await addDevice(user)
    const foreign = await addDevice(other)
    const { data, text } = await exported(user.token)
    expect(data.objects._Installation).toMatchObject([{ objectId: device, deviceType: 'web' }])
    expect(text).not.toMatch(/push\.example|hidden key|hidden auth/)
    expect(text).not.toContain(foreign)
  })

  test('the invitation that the account was made with', async () => {
    const closed = await createTestServer({ rateLimit: [], signUp: { mode: 'invitation' } })
    try {
      const email = 'invited@example.com'
      const invited = await closed.call('POST', '/auth/invitations', { email, note: 'hidden note' }, { master: true })
      const headers = { 'X-Countersign-Invitation': String(invited.body.token) }
      const made = await closed.call(
        'POST',
        '/users',
        { username: 'invited', password: 'a password', email },
        { headers },
      )
      expect(made.status, `${invited.text} ${made.text}`).toBe(201)
      const { text } = await closed.call('GET', '/auth/export', undefined, { token: String(made.body.sessionToken) })
      const { invitations } = JSON.parse(text) as Exported
      expect(invitations).toEqual([{ email, createdAt: expect.any(String), usedAt: expect.any(String) }])
      expect(text).not.toContain('hidden note')
    } finally {
      await closed.stop()
    }
  })
})

test('a code by email does not pass by an additional provider', async () => {
  const email = `${randomUUID()}@example.com`
  const { body } = await signInWithMail(email)
  const token = String(body.sessionToken)
  const set = await own(token, `/users/${body.objectId}`, 'PUT', { authData: { pin: { pin: '1234' } } })
  expect(set.status, set.text).toBe(200)
  const refused = await signInWithMail(email)
  expect([refused.status, refused.body.error]).toEqual([400, 'Missing additional authData pin'])
  expect(refused.text).not.toContain('sessionToken')
})
