import { randomUUID } from 'node:crypto'
import { headers } from '@countersign/protocol'
import { exportSPKI, type JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadAuthAdapters } from '../../context/authAdapters.ts'
import { sql } from '../../db/sql.ts'
import { type Answer, createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { type Issuer, startIssuer } from '../../testing/startIssuer.ts'

let issuer: Issuer
let other: Issuer
let server: TestServer
const app = 'https://app.example.com'

beforeAll(async () => {
  issuer = await startIssuer()
  other = await startIssuer()
  const { clientId, clientSecret } = issuer
  const oauth2 = {
    clientId,
    clientSecret,
    authorizationUrl: `${issuer.url}/authorize`,
    tokenUrl: `${issuer.url}/token`,
    profileUrl: `${issuer.url}/user`,
  }
  server = await createTestServer({
    rateLimit: [],
    wallet: { origins: [app] },
    auth: {
      acme: { type: 'oidc', issuer: issuer.url, clientId, clientSecret, label: 'Acme', trustEmail: true },
      doubtful: { type: 'oidc', issuer: issuer.url, clientId, clientSecret },
      rival: { type: 'oidc', issuer: other.url, clientId, clientSecret },
      hub: { type: 'github', ...oauth2, emailsUrl: `${issuer.url}/emails` },
      native: { type: 'google', clientId: 'native-1' },
      plain: { validateAuthData: async () => {} },
    },
  })
})
afterAll(async () => {
  await server.stop()
  await Promise.all([issuer.stop(), other.stop()])
})
beforeEach(() => {
  for (const each of [issuer, other]) Object.assign(each, { next: {}, discovery: {}, asked: [] })
})

/** A browser: what it holds, and the page that is open in it. */
type Browser = { [header: string]: string }
const newBrowser = (): Browser => ({ 'X-Parse-Installation-Id': randomUUID() })
const headersOf = (browser: Browser, token?: string) => ({ headers: browser, ...(token && { token }) })
const refusal = ({ status, body }: Answer) => [status, body.reason]
const newPerson = () => `person-${randomUUID()}`
const reasonsOfLibrary = () => server.logs.filter((line) => line.includes('by a provider was refused')).join('\n')

async function begin(provider: string, browser: Browser, input: object = {}, token?: string): Promise<Answer> {
  return server.call('POST', `/auth/providers/${provider}/challenge`, input, headersOf(browser, token))
}

/** The whole way: to the provider, back to the callback, and what the page then sends to the API. */
async function goThere(
  provider: string,
  browser: Browser,
  claims: JWTPayload,
  { input = {}, token, from = issuer }: { input?: object; token?: string; from?: Issuer } = {},
): Promise<{ state: string; code: string; iss?: string }> {
  const begun = await begin(provider, browser, input, token)
  expect(begun.status, begun.text).toBe(200)
  from.next = { ...from.next, claims: { ...from.next.claims, ...claims } }
  const { code, state } = from.approve(String(begun.body.url))
  const back = await comeBack(provider, { code, state })
  const fragment = new URLSearchParams(new URL(String(back.headers.get('location'))).hash.slice(1))
  expect(fragment.get('signInWith')).toBe(provider)
  return { state: String(fragment.get('state')), code: String(fragment.get('code')) }
}

const comeBack = (provider: string, query: { [name: string]: string }) =>
  fetch(`${server.serverUrl}/auth/providers/${provider}/callback?${new URLSearchParams(query)}`, { redirect: 'manual' })

const finish = (response: object, browser: Browser) =>
  server.call('POST', '/auth/signInWithProvider', response, headersOf(browser))

async function signIn(provider: string, claims: JWTPayload, browser = newBrowser()): Promise<Answer> {
  return finish(await goThere(provider, browser, claims), browser)
}

describe('the round trip', () => {
  test('makes the account at the first time and opens it at the next', async () => {
    const sub = newPerson()
    const made = await signIn('acme', { sub, preferred_username: 'ada' })
    expect([made.status, typeof made.body.sessionToken]).toEqual([201, 'string'])
    const again = await signIn('acme', { sub })
    expect([again.status, again.body.objectId]).toEqual([200, made.body.objectId])
    const session = await server.call('GET', '/sessions/me', undefined, { token: String(again.body.sessionToken) })
    expect(session.body.createdWith).toEqual({ action: 'login', authProvider: 'acme' })
    const methods = await server.call('GET', '/auth/signInMethods', undefined, {
      token: String(made.body.sessionToken),
    })
    expect(methods.body.identities).toMatchObject([{ provider: 'acme', id: sub, name: 'Acme' }])
  })

  test('asks with PKCE, state, nonce and the exact address, and sends the verifier', async () => {
    const { body } = await begin('acme', newBrowser())
    const { origin, searchParams } = new URL(String(body.url))
    expect(origin).toBe(issuer.url)
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: issuer.clientId,
      response_type: 'code',
      redirect_uri: `${server.context.publicUrl}/server/auth/providers/acme/callback`,
      scope: 'openid email profile',
      state: body.state,
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    const [row] = await server.context.db.query<{ statement: string }>(
      sql`select statement from countersign.challenges where nonce = ${String(body.state)}`,
    )
    expect(row?.statement).not.toContain(searchParams.get('nonce'))
  })

  test('lists what people can be sent to, and nothing else', async () => {
    const { body } = await server.call('GET', '/auth/providers')
    expect(body.results).toEqual([
      { name: 'acme', label: 'Acme', kind: 'oidc' },
      { name: 'doubtful', label: 'OpenID Connect', kind: 'oidc' },
      { name: 'rival', label: 'OpenID Connect', kind: 'oidc' },
      { name: 'hub', label: 'GitHub', kind: 'github' },
    ])
    for (const name of ['native', 'plain', 'nosuch', 'constructor'])
      expect(refusal(await begin(name, newBrowser()))).toEqual([404, 'providerUnknown'])
  })

  test('OAuth 2: the profile is read with the access token, and the verified address from the list of addresses', async () => {
    const id = Math.floor(Math.random() * 1e9)
    const email = `${newPerson()}@example.com`
    issuer.resources['/user'] = { id, login: 'ada', email: 'public@example.com' }
    issuer.resources['/emails'] = [
      { email: 'second@example.com', primary: false, verified: true },
      { email, primary: true, verified: true },
    ]
    issuer.next = { raw: '' }
    const browser = newBrowser()
    const begun = await begin('hub', browser)
    const answer = await finish(issuer.approve(String(begun.body.url)), browser)
    expect([answer.status, answer.body.email]).toEqual([201, email])
    const token = String(answer.body.sessionToken)
    const methods = await server.call('GET', '/auth/signInMethods', undefined, { token })
    expect(methods.body.identities).toMatchObject([{ provider: 'hub', id: String(id), label: email }])
  })
})

describe('the browser that asked', () => {
  test('no other one can bring the answer, nor the right one afterwards', async () => {
    const browser = newBrowser()
    const response = await goThere('acme', browser, { sub: newPerson() })
    expect(refusal(await finish(response, newBrowser()))).toEqual([403, 'challengeOfOtherBrowser'])
    expect(refusal(await finish(response, browser))).toEqual([401, 'challengeUsed'])
    expect(issuer.asked).toEqual([])
  })

  test('with a cookie session it is a cookie that no script reads', async () => {
    const browser: Browser = { [headers.sessionTransport]: 'cookie', Origin: server.context.publicUrl }
    const begun = await begin('acme', browser)
    const set = String(begun.headers.get('set-cookie'))
    expect(set).toMatch(/^countersign-asks=[0-9a-f]{32}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/)
    issuer.next = { claims: { sub: newPerson() } }
    const response = issuer.approve(String(begun.body.url))
    const without = await finish(response, browser)
    expect(refusal(without)).toEqual([403, 'challengeOfOtherBrowser'])
    const second = await begin('acme', { ...browser, Cookie: String(set.split(';')[0]) })
    const answer = await finish(issuer.approve(String(second.body.url)), {
      ...browser,
      Cookie: String(set.split(';')[0]),
    })
    expect([answer.status, answer.body.sessionToken]).toEqual([201, undefined])
    expect(String(answer.headers.get('set-cookie'))).toContain('HttpOnly')
  })

  test('the page that brings it must be the page that asked', async () => {
    const browser = newBrowser()
    const begun = await begin('acme', { ...browser, Origin: app })
    const response = issuer.approve(String(begun.body.url))
    const elsewhere = { ...browser, Origin: server.context.publicUrl }
    expect(refusal(await finish(response, elsewhere))).toEqual([403, 'challengeOfOtherBrowser'])
  })
})

describe('what comes back', () => {
  test('a state that is not ours, or was used', async () => {
    const browser = newBrowser()
    expect(refusal(await finish({ state: 'made-up', code: 'x' }, browser))).toEqual([401, 'challengeUsed'])
    const response = await goThere('acme', browser, { sub: newPerson() })
    expect((await finish(response, browser)).status).toBe(201)
    expect(refusal(await finish(response, browser))).toEqual([401, 'challengeUsed'])
    // Of two at once one wins, and the code is sent once.
    issuer.asked.length = 0
    const twice = await goThere('acme', browser, { sub: newPerson() })
    const answers = await Promise.all([finish(twice, browser), finish(twice, browser)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401])
    expect(issuer.asked.length).toBe(1)
  })

  test('a code that was used, or is of another request', async () => {
    const browser = newBrowser()
    const first = await goThere('acme', browser, { sub: newPerson() })
    expect((await finish(first, browser)).status).toBe(201)
    const { state } = (await begin('acme', browser)).body
    expect(refusal(await finish({ state, code: first.code }, browser))).toEqual([403, 'providerRefused'])
    // Somebody else's code: the verifier of this request does not open it.
    const foreign = await goThere('acme', newBrowser(), { sub: newPerson() })
    const own = (await begin('acme', browser)).body
    expect(refusal(await finish({ state: own.state, code: foreign.code }, browser))).toEqual([403, 'providerRefused'])
  })

  test('after ten minutes', async () => {
    const browser = newBrowser()
    const response = await goThere('acme', browser, { sub: newPerson() })
    server.clock.forward(10 * 60_000)
    expect(refusal(await finish(response, browser))).toEqual([401, 'challengeExpired'])
  })

  test('for another purpose', async () => {
    const { token } = await server.signUp(`purpose-${randomUUID()}`)
    const browser = newBrowser()
    const forLink = await goThere('acme', browser, { sub: newPerson() }, { input: { purpose: 'link' }, token })
    expect(refusal(await finish(forLink, browser))).toEqual([401, 'challengeOfOtherPurpose'])
    const forSignIn = await goThere('acme', browser, { sub: newPerson() })
    const linked = await server.call('POST', '/auth/identities', forSignIn, headersOf(browser, token))
    expect(refusal(linked)).toEqual([401, 'challengeOfOtherPurpose'])
  })

  test('another issuer: by the address it comes to, by what it says, and in its token', async () => {
    const browser = newBrowser()
    const begun = await begin('acme', browser)
    const { code, state } = issuer.approve(String(begun.body.url))
    // The address of another provider leads nowhere.
    const crossed = await comeBack('rival', { code, state })
    expect(crossed.headers.get('location')).toBe(`${server.context.publicUrl}/sign-in#signInWith=&error=expired`)
    expect(refusal(await finish({ code, state, iss: other.url }, browser))).toEqual([403, 'providerRefused'])
    const second = await goThere('acme', browser, { sub: newPerson(), iss: other.url })
    expect(refusal(await finish(second, browser))).toEqual([403, 'providerRefused'])
    expect(reasonsOfLibrary()).toContain('OAUTH_JWT_CLAIM_COMPARISON_FAILED')
  })

  test.each([
    ['another nonce', { nonce: 'n-of-somebody-else' }],
    ['no nonce', { nonce: undefined }],
    ['an expired token', { exp: Math.floor(Date.now() / 1000) - 3600, iat: Math.floor(Date.now() / 1000) - 7200 }],
    ['another audience', { aud: 'client-2' }],
    ['two audiences, for the other', { aud: ['client-1', 'client-2'], azp: 'client-2' }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['a subject with control characters', { sub: 'a\u0001b' }],
    ['an endless subject', { sub: 'x'.repeat(501) }],
  ])('%s', async (_name, claims) => {
    const answer = await signIn('acme', { sub: newPerson(), ...claims } as JWTPayload)
    expect(refusal(answer)).toEqual([403, 'providerRefused'])
    expect(answer.text).not.toContain('client-2')
  })

  test('algorithm confusion: none, and a shared secret that is the public key or the client secret', async () => {
    const claims = { iss: issuer.url, aud: issuer.clientId, sub: newPerson(), exp: Date.now() / 1000 + 300 }
    const attempt = async (change: (nonce: string) => Promise<string>) => {
      const browser = newBrowser()
      const begun = await begin('acme', browser)
      const nonce = String(new URL(String(begun.body.url)).searchParams.get('nonce'))
      issuer.next = { raw: await change(nonce) }
      return refusal(await finish(issuer.approve(String(begun.body.url)), browser))
    }
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const iat = Math.floor(Date.now() / 1000)
    const none = (nonce: string) => Promise.resolve(`${encode({ alg: 'none' })}.${encode({ ...claims, iat, nonce })}.`)
    expect(await attempt(none)).toEqual([403, 'providerRefused'])
    const pem = new TextEncoder().encode(await exportSPKI(issuer.publicKey))
    const secret = new TextEncoder().encode(issuer.clientSecret.padEnd(32, '\0'))
    for (const key of [pem, secret])
      for (const header of [{ alg: 'HS256' }, { alg: 'HS256', kid: 'key-1' }])
        expect(await attempt((nonce) => issuer.sign({ ...claims, nonce }, { header, key }))).toEqual([
          403,
          'providerRefused',
        ])
    // Signed by a key that the issuer does not have.
    expect(await attempt((nonce) => other.sign({ ...claims, nonce }))).toEqual([403, 'providerRefused'])
  })

  test('a refusal by the person, and by the provider', async () => {
    const browser = newBrowser()
    const declined = (await begin('acme', browser)).body
    const back = await comeBack('acme', { state: String(declined.state), error: 'access_denied' })
    expect(back.headers.get('location')).toContain('error=access_denied')
    expect(refusal(await finish({ state: declined.state, error: 'access_denied' }, browser))).toEqual([
      403,
      'providerDeclined',
    ])
    const { state } = (await begin('acme', browser)).body
    expect(refusal(await finish({ state, error: 'server_error' }, browser))).toEqual([403, 'providerRefused'])
  })
})

describe('where the browser goes on', () => {
  test('only to a page of an origin that the operator named', async () => {
    const foreign = await begin('acme', { ...newBrowser(), Origin: 'https://evil.example' })
    expect(refusal(foreign)).toEqual([403, 'originNotAllowed'])
    for (const returnTo of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      '/..//evil.example',
      '/.//evil.example',
      'javascript:alert(1)',
      '/a\nb',
      '/a b',
      'account',
      '',
      '/@evil.example\\x',
    ]) {
      const answer = await begin('acme', newBrowser(), { returnTo })
      expect([returnTo, answer.status]).toEqual([returnTo, 400])
    }
    const browser = { ...newBrowser(), Origin: app }
    const { body } = await begin('acme', browser, { returnTo: '/account/wallets?tab=1#x' })
    const back = await comeBack('acme', { state: String(body.state), code: 'c', redirect: 'https://evil.example' })
    expect([back.status, back.headers.get('location')]).toEqual([
      303,
      `${app}/account/wallets?tab=1#signInWith=acme&code=c&state=${body.state}`,
    ])
    expect([back.headers.get('referrer-policy'), back.headers.get('cache-control')]).toEqual([
      'no-referrer',
      'no-store',
    ])
  })

  test('a popup tells its opener, if that is the page that asked', async () => {
    const { body } = await begin('acme', { ...newBrowser(), Origin: app }, { display: 'popup' })
    const back = await comeBack('acme', { state: String(body.state), code: '</script><script>alert(1)</script>' })
    const text = await back.text()
    expect(text).toContain(`"origin":"${app}"`)
    expect(text).not.toContain('<script>alert')
    expect(text.match(/<script/g)).toHaveLength(1)
    expect(back.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'nonce-[\w+/=]+';/)
  })

  test('a form, as Apple answers; what is named twice or is too long is left out', async () => {
    const { body } = await begin('acme', newBrowser())
    const post = (form: string) =>
      fetch(`${server.serverUrl}/auth/providers/acme/callback`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: form,
      })
    const back = await post(`state=${body.state}&code=c&user=%7B%7D`)
    expect([back.status, new URL(String(back.headers.get('location'))).hash]).toEqual([
      303,
      `#signInWith=acme&code=c&state=${body.state}`,
    ])
    const twice = await post(`state=${body.state}&code=c&code=d`)
    expect(new URL(String(twice.headers.get('location'))).hash).toBe(`#signInWith=acme&state=${body.state}`)
    for (const form of ['', 'state=x', `state=${'x'.repeat(50_000)}`]) {
      const lost = await post(form)
      expect(lost.headers.get('location')).toBe(`${server.context.publicUrl}/sign-in#signInWith=&error=expired`)
    }
  })
})

describe('addresses', () => {
  const newAddress = () => `${randomUUID()}@example.com`

  test('a verified one of a trusted provider comes to the new account', async () => {
    const email = newAddress()
    const made = await signIn('acme', { sub: newPerson(), email, email_verified: true })
    expect([made.body.email, made.body.emailVerified]).toEqual([email, true])
  })

  test('one that is not verified, or of a provider that is not trusted, does not', async () => {
    const email = newAddress()
    const unverified = await signIn('acme', { sub: newPerson(), email, email_verified: false })
    expect([unverified.status, unverified.body.email]).toEqual([201, undefined])
    const doubtful = await signIn('doubtful', { sub: newPerson(), email, email_verified: true })
    expect([doubtful.status, doubtful.body.email]).toEqual([201, undefined])
    const odd = await signIn('acme', { sub: newPerson(), email: 'no address', email_verified: true })
    expect([odd.status, odd.body.email]).toEqual([201, undefined])
  })

  test('an account with the same verified address is never opened: its owner signs in and links', async () => {
    const username = `owner-${randomUUID()}`
    const email = newAddress()
    const { objectId, token } = await server.signUp(username, { email })
    await server.call('PUT', `/users/${objectId}`, { emailVerified: true }, { master: true })
    const sub = newPerson()
    const claims = { sub, email: email.toUpperCase(), email_verified: true }
    const answer = await signIn('acme', claims)
    expect(refusal(answer)).toEqual([409, 'signInToLink'])
    expect(answer.body.sessionToken).toBeUndefined()
    // An address that is not verified there says nothing of who comes: no word about the account.
    const stranger = await signIn('acme', { sub: newPerson(), email, email_verified: false })
    expect(stranger.status).toBe(201)
    expect(stranger.body.objectId).not.toBe(objectId)
    const browser = newBrowser()
    const response = await goThere('acme', browser, claims, { input: { purpose: 'link' }, token })
    const linked = await server.call('POST', '/auth/identities', response, headersOf(browser, token))
    expect([linked.status, linked.body.provider]).toEqual([201, 'acme'])
    const opened = await signIn('acme', claims)
    expect([opened.status, opened.body.objectId]).toEqual([200, objectId])
  })

  test('pre-hijacking: who signed up with an address of somebody else gets nothing of theirs', async () => {
    const email = newAddress()
    const attacker = await server.signUp(`early-${randomUUID()}`, { email })
    const victim = await signIn('acme', { sub: newPerson(), email, email_verified: true })
    expect(victim.status).toBe(201)
    expect(victim.body.objectId).not.toBe(attacker.objectId)
    expect(victim.body.email).toBeUndefined()
    const methods = await server.call('GET', '/auth/signInMethods', undefined, { token: attacker.token })
    expect(methods.body.identities).toBeUndefined()
  })
})

describe('an account that is signed in', () => {
  const newUser = () => server.signUp(`user-${randomUUID()}`)
  const link = async (token: string, sub: string, provider = 'acme') => {
    const browser = newBrowser()
    const response = await goThere(provider, browser, { sub }, { input: { purpose: 'link' }, token })
    return server.call('POST', '/auth/identities', response, headersOf(browser, token))
  }

  test('links, which is noted; an identity of somebody else stays theirs', async () => {
    const { objectId, token } = await newUser()
    const sub = newPerson()
    expect((await link(token, sub)).status).toBe(201)
    const activity = await server.call('GET', '/auth/activity', undefined, { token })
    expect((activity.body.results as { action: string }[]).map(({ action }) => action)).toContain('linkIdentity')
    const second = await newUser()
    expect(refusal(await link(second.token, sub))).toEqual([409, 'accountAlreadyLinked'])
    expect((await signIn('acme', { sub })).body.objectId).toBe(objectId)
  })

  test('not without a recent proof, neither at the start nor at the end', async () => {
    const { token } = await newUser()
    const browser = newBrowser()
    const response = await goThere('acme', browser, { sub: newPerson() }, { input: { purpose: 'link' }, token })
    const stale = sql`update "_Session" set "_confirmed" = ${new Date(0)} where "createdWith" is not null`
    await server.context.db.query(stale)
    server.context.sessionCache.forgetUser(
      (await server.call('GET', '/users/me', undefined, { token })).body.objectId as string,
    )
    const late = await server.call('POST', '/auth/identities', response, headersOf(browser, token))
    expect(refusal(late)).toEqual([403, 'reauthenticationRequired'])
    expect(refusal(await begin('acme', browser, { purpose: 'link' }, token))).toEqual([403, 'reauthenticationRequired'])
    expect(refusal(await begin('acme', browser, { purpose: 'link' }))).toEqual([400, 'invalidSessionToken'])
  })

  test('the answer for one account serves no other session', async () => {
    const [one, two] = [await newUser(), await newUser()]
    const browser = newBrowser()
    const response = await goThere(
      'acme',
      browser,
      { sub: newPerson() },
      { input: { purpose: 'link' }, token: one.token },
    )
    const answer = await server.call('POST', '/auth/identities', response, headersOf(browser, two.token))
    expect(refusal(answer)).toEqual([401, 'challengeOfOtherAccount'])
  })

  test('removes it and brings it back; never the last one', async () => {
    const { objectId, token } = await newUser()
    const sub = newPerson()
    await link(token, sub)
    const gone = await server.call('DELETE', '/auth/identities/acme', undefined, { token })
    expect([gone.status, typeof gone.body.undoUntil]).toEqual([200, 'string'])
    expect(refusal(await server.call('DELETE', '/auth/identities/acme', undefined, { token }))).toEqual([
      404,
      'identityNotFound',
    ])
    const back = await server.call('POST', '/auth/identities/acme/restore', {}, { token })
    expect([back.status, back.body.id]).toEqual([200, sub])
    expect((await signIn('acme', { sub })).body.objectId).toBe(objectId)
    // Another account has it by now.
    await server.call('DELETE', '/auth/identities/acme', undefined, { token })
    const taker = await signIn('acme', { sub })
    expect(taker.status).toBe(201)
    expect(refusal(await server.call('POST', '/auth/identities/acme/restore', {}, { token }))).toEqual([
      409,
      'accountAlreadyLinked',
    ])
    const last = await server.call('DELETE', '/auth/identities/acme', undefined, {
      token: String(taker.body.sessionToken),
    })
    expect(refusal(last)).toEqual([403, 'lastSignInMethod'])
  })

  test('not brought back after ten minutes', async () => {
    const { token } = await newUser()
    await link(token, newPerson())
    await server.call('DELETE', '/auth/identities/acme', undefined, { token })
    server.clock.forward(10 * 60_000)
    const late = await server.call('POST', '/auth/identities/acme/restore', {}, { token })
    expect(refusal(late)).toEqual([404, 'identityRestoreExpired'])
  })

  test('confirms the session by its own identity, by a sign-in that is new', async () => {
    const sub = newPerson()
    const made = await signIn('acme', { sub })
    const token = String(made.body.sessionToken)
    const confirm = async (claims: JWTPayload) => {
      const browser = newBrowser()
      const input = { purpose: 'reauthenticate' }
      const begun = await begin('acme', browser, input, token)
      expect(Object.fromEntries(new URL(String(begun.body.url)).searchParams)).toMatchObject({ prompt: 'login' })
      const provider = await goThere('acme', browser, claims, { input, token })
      return server.call('POST', '/auth/reauthenticate', { provider }, headersOf(browser, token))
    }
    const now = () => Math.floor(server.clock.ms() / 1000)
    expect(refusal(await confirm({ sub, auth_time: now() - 3600 }))).toEqual([403, 'providerProofTooOld'])
    expect(refusal(await confirm({ sub: newPerson(), auth_time: now() }))).toEqual([401, 'identityNotLinked'])
    const right = await confirm({ sub, auth_time: now() })
    expect([right.status, typeof right.body.sessionToken]).toEqual([200, 'string'])
  })
})

describe('ID tokens of native apps', () => {
  const post = (authData: object, token?: string) =>
    server.call('POST', '/users', { authData }, { ...(token && { token }) })

  test('sign in by POST /users; the token is not kept', async () => {
    const sub = newPerson()
    const id_token = await issuer.sign({ sub })
    const made = await post({ acme: { id: sub, id_token } })
    expect([made.status, made.body.authData]).toEqual([201, { acme: { id: sub } }])
    expect((await signIn('acme', { sub })).body.objectId).toBe(made.body.objectId)
    expect((await post({ acme: { id: sub, id_token } })).status).toBe(200)
  })

  test('the same rule about addresses', async () => {
    const email = `${randomUUID()}@example.com`
    const { objectId } = await server.signUp(`native-${randomUUID()}`, { email })
    await server.call('PUT', `/users/${objectId}`, { emailVerified: true }, { master: true })
    const sub = newPerson()
    const id_token = await issuer.sign({ sub, email, email_verified: true })
    expect(refusal(await post({ acme: { id: sub, id_token } }))).toEqual([409, 'signInToLink'])
  })

  test('nothing but a token of this issuer for this client that is valid now', async () => {
    const sub = newPerson()
    const now = Math.floor(Date.now() / 1000)
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const pem = new TextEncoder().encode(await exportSPKI(issuer.publicKey))
    const claims = { iss: issuer.url, aud: issuer.clientId, sub, iat: now, exp: now + 300 }
    const wrong: [string, object][] = [
      ['none', { id: sub }],
      ['no text', { id: sub, id_token: { a: 1 } }],
      ['of another person', { id: newPerson(), id_token: await issuer.sign({ sub }) }],
      ['expired', { id: sub, id_token: await issuer.sign({ sub, exp: now - 60 }) }],
      ['too old', { id: sub, id_token: await issuer.sign({ sub, iat: now - 4_000 }) }],
      ['another client', { id: sub, id_token: await issuer.sign({ sub, aud: 'client-2' }) }],
      ['two clients', { id: sub, id_token: await issuer.sign({ sub, aud: ['client-1', 'client-2'] }) }],
      ['made for another', { id: sub, id_token: await issuer.sign({ sub, azp: 'client-2' }) }],
      ['another issuer', { id: sub, id_token: await issuer.sign({ sub, iss: other.url }) }],
      ['another key', { id: sub, id_token: await other.sign({ sub, iss: issuer.url }) }],
      ['alg none', { id: sub, id_token: `${encode({ alg: 'none' })}.${encode(claims)}.` }],
      ['alg HS256', { id: sub, id_token: await issuer.sign(claims, { header: { alg: 'HS256' }, key: pem }) }],
      ['another nonce', { id: sub, nonce: 'a', id_token: await issuer.sign({ sub, nonce: 'b' }) }],
    ]
    for (const [name, data] of wrong) {
      const answer = await post({ acme: data })
      expect([name, answer.status, answer.body.code]).toEqual([name, 400, 141])
    }
    expect((await post({ hub: { id: sub, access_token: 'of another app' } })).body.code).toBe(141)
  })

  test('an older token does not confirm a session', async () => {
    const sub = newPerson()
    const iat = Math.floor(Date.now() / 1000) - 1_200
    const id_token = await issuer.sign({ sub, iat })
    const made = await post({ acme: { id: sub, id_token } })
    expect(made.status).toBe(201)
    const answer = await server.call(
      'POST',
      '/auth/reauthenticate',
      { authData: { acme: { id: sub, id_token } } },
      { token: String(made.body.sessionToken) },
    )
    expect(answer.body.code).toBe(141)
  })
})

describe('where the server connects to', () => {
  const loadOne = async (setting: object, production = false) => {
    const { acme } = Object.fromEntries(
      await loadAuthAdapters({ auth: { acme: { ...setting } }, production, chains: [] }),
    )
    return acme?.client
  }
  const request = {
    redirectUri: 'https://a.example/back',
    state: 's',
    nonce: 'n',
    verifier: 'v'.repeat(43),
    isFresh: false,
  }
  const setting = () => ({ type: 'oidc', issuer: issuer.url, clientId: 'c', clientSecret: 's' })

  test('hosts that discovery names are refused unless the operator names them too', async () => {
    issuer.discovery = { token_endpoint: 'http://127.0.0.1:1/token' }
    await expect((await loadOne(setting()))?.createUrl(request)).rejects.toThrow('The host 127.0.0.1:1 is not named')
    const named = await loadOne({ ...setting(), hosts: ['127.0.0.1:1'] })
    await expect(named?.createUrl(request)).resolves.toContain(issuer.url)
    issuer.discovery = { issuer: other.url }
    await expect((await loadOne(setting()))?.createUrl(request)).rejects.toThrow()
  })

  test('https alone in production, and no odd settings', async () => {
    await expect(loadOne(setting(), true)).rejects.toThrow('must be https')
    for (const wrong of [
      { type: 'oidc', clientId: 'c' },
      { type: 'oidc', issuer: 'no address', clientId: 'c' },
      { type: 'github', clientId: 'c' },
      { ...setting(), clientSecrets: 'typo' },
      { ...setting(), hosts: ['https://a.example/'] },
    ])
      await expect(loadOne(wrong)).rejects.toThrow(/^auth\.acme: /)
  })

  test('one that cannot be reached says so, and is not asked again at once', async () => {
    const down = await createTestServer({
      auth: { acme: { type: 'oidc', issuer: 'http://127.0.0.1:1', clientId: 'c', clientSecret: 's' } },
    })
    try {
      const answer = await down.call('POST', '/auth/providers/acme/challenge', {}, { headers: newBrowser() })
      expect([answer.status, answer.body.reason]).toEqual([502, 'providerUnavailable'])
    } finally {
      await down.stop()
    }
  })
})
