import { randomUUID } from 'node:crypto'
import { headers } from '@countersign/protocol'
import { exportSPKI, type JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { loadAuthAdapters } from '../../providers/authAdapters.ts'
import {
  app,
  type Browser,
  createProviderCalls,
  headersOf,
  newBrowser,
  newPerson,
  refusal,
  resetIssuers,
  startProviders,
} from '../../testing/accounts/createProviderCalls.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import type { Issuer } from '../../testing/startIssuer.ts'

let issuer: Issuer
let other: Issuer
let server: TestServer

beforeAll(async () => {
  ;({ issuer, other, server } = await startProviders())
})
afterAll(async () => {
  await server.stop()
  await Promise.all([issuer.stop(), other.stop()])
})
beforeEach(() => resetIssuers(issuer, other))

const { signIn, begin, finish, goThere, comeBack, reasonsOfLibrary } = createProviderCalls(
  () => server,
  () => issuer,
)

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
  test('another browser cannot use the response, nor the right one afterwards', async () => {
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

describe('response of the provider', () => {
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

describe('redirect of the browser', () => {
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

  test('a popup notifies its opener, if that is the page that asked', async () => {
    const { body } = await begin('acme', { ...newBrowser(), Origin: app }, { display: 'popup' })
    const back = await comeBack('acme', { state: String(body.state), code: '</script><script>alert(1)</script>' })
    const text = await back.text()
    expect(text).toContain(`"origin":"${app}"`)
    expect(text).not.toContain('<script>alert')
    expect(text.match(/<script/g)).toHaveLength(1)
    expect(back.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'nonce-[\w+/=]+';/)
  })

  test('a form, as Apple sends it; duplicate or too long parts are left out', async () => {
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

describe('hosts that the server connects to', () => {
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
    await expect((await loadOne(setting()))?.createUrl(request)).rejects.toThrow(
      'The host 127.0.0.1:1 is not in the setting hosts',
    )
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

  test('an unreachable provider is reported, and not asked again immediately', async () => {
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
