import * as openid from 'openid-client'
import { describe, expect, test } from 'vitest'
import { createOidcPeople } from '../testing/oidc/createOidcPeople.ts'
import { serveTests } from '../testing/serveTests.ts'
import { createClientFetch } from './fetchFromClient.ts'

const orders = 'https://orders.example/api'
const server = serveTests({
  rateLimit: [],
  oidc: { metadataHosts: ['app.example'], resources: [{ url: orders, scopes: ['Score:read'] }] },
})
const { createClient, discover, signIn, open, ask, answer, consent, prepare, createBrowser } = createOidcPeople(
  () => server,
)

const callback = 'https://app.example/callback'
const createShop = (given: object = {}) => createClient({ redirectUris: [callback], ...given })
const endpoint = (path: string) => `${server.context.publicUrl}/oidc${path}`
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(endpoint(path), { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'manual' })
const basic = ({ clientId, secret }: { clientId: string; secret?: string | undefined }) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
})

describe('authorization codes (RFC 9700, 2.1)', () => {
  const getCode = async () => {
    const person = await server.signUp(`code${Math.random()}`)
    const client = await createShop()
    const config = await discover(client)
    const prepared = await prepare(config, client, { scope: 'openid profile' })
    const back = await consent(createBrowser(), prepared.address, person)
    const fields = {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: callback,
      code_verifier: prepared.verifier,
    }
    return { person, client, config, fields }
  }

  test('of ten exchanges at the same time one gets tokens', async () => {
    const { client, fields } = await getCode()
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('/token', fields, basic(client))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status } of answers) expect([200, 400]).toContain(status)
  })

  test('a code that comes again ends the tokens that it gave', async () => {
    const { person, client, config, fields } = await getCode()
    const first = (await (await post('/token', fields, basic(client))).json()) as { access_token: string }
    expect((await post('/token', fields, basic(client))).status).toBe(400)
    await expect(openid.fetchUserInfo(config, first.access_token, person.objectId)).rejects.toThrow()
  })

  test('a code is worth nothing to another client, without its verifier, or for another address', async () => {
    const { client, fields } = await getCode()
    const other = await createShop()
    for (const [given, by] of [
      [fields, other],
      [{ ...fields, code_verifier: 'x'.repeat(43) }, client],
      [{ ...fields, code_verifier: '' }, client],
      [{ ...fields, redirect_uri: `${callback}/` }, client],
      [fields, { ...client, secret: 'wrong' }],
    ] as const) {
      const { status } = await post('/token', given, basic(by))
      expect([400, 401]).toContain(status)
    }
  })

  test("a thief's code in the response to the victim gives the victim no account of the thief, and the other way round", async () => {
    const client = await createShop()
    const config = await discover(client)
    const flows = []
    for (const name of ['inject thief', 'inject victim']) {
      const person = await server.signUp(name)
      const prepared = await prepare(config, client, {})
      flows.push({ prepared, back: await consent(createBrowser(), prepared.address, person) })
    }
    const [thief, victim] = flows
    if (!thief || !victim) throw new Error('two flows are needed')
    for (const [own, other] of [
      [victim, thief],
      [thief, victim],
    ] as const) {
      // The application's own state and verifier, with a code of somebody else.
      const injected = new URL(own.back)
      injected.searchParams.set('code', other.back.searchParams.get('code') ?? '')
      const { verifier, state, nonce } = own.prepared
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce }
      await expect(openid.authorizationCodeGrant(config, injected, checks)).rejects.toMatchObject({
        error: 'invalid_grant',
      })
    }
  })

  test('no challenge, or a plain one, gets no code', async () => {
    const client = await createShop()
    const config = await discover(client)
    for (const change of [{ code_challenge: '' }, { code_challenge_method: 'plain' }, { response_type: 'token' }]) {
      const { address } = await prepare(config, client, {})
      for (const [name, value] of Object.entries(change))
        value === '' ? address.searchParams.delete(name) : address.searchParams.set(name, value)
      const { location, uid } = await open(createBrowser(), address)
      expect(uid).toBeUndefined()
      expect(location).toMatch(/[?#&]error=(invalid_request|unsupported_response_type)/)
    }
    // Nor does a pushed request.
    const pushed = { client_id: client.clientId, redirect_uri: callback, response_type: 'code', scope: 'openid' }
    const changes: Record<string, string>[] = [{}, { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }]
    for (const change of changes) expect((await post('/par', { ...pushed, ...change }, basic(client))).status).toBe(400)
  })
})

describe('mix-up (RFC 9207)', () => {
  test('responses and errors name the issuer, and a client refuses those of another', async () => {
    const person = await server.signUp('mixed')
    const client = await createShop()
    const config = await discover(client)
    const issuer = `${server.context.publicUrl}/oidc`
    expect(config.serverMetadata()).toMatchObject({ issuer, authorization_response_iss_parameter_supported: true })
    const prepared = await prepare(config, client, {})
    const back = await consent(createBrowser(), prepared.address, person)
    const browser = createBrowser()
    const { uid = '' } = await open(browser, (await prepare(config, client, {})).address)
    const refused = await answer(browser, uid, undefined, { allow: false })
    const denied = new URL(await browser.follow(String(refused.body.location)))
    const silent = await open(createBrowser(), (await prepare(config, client, { prompt: 'none' })).address)
    for (const url of [back, denied, new URL(silent.location)]) expect(url.searchParams.get('iss')).toBe(issuer)
    expect(denied.searchParams.get('error')).toBe('access_denied')
    const { verifier, state, nonce } = prepared
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce }
    for (const iss of ['https://evil.example', `${issuer}/`, undefined]) {
      const mixed = new URL(back)
      iss === undefined ? mixed.searchParams.delete('iss') : mixed.searchParams.set('iss', iss)
      await expect(openid.authorizationCodeGrant(config, mixed, checks), String(iss)).rejects.toMatchObject({
        code: 'OAUTH_INVALID_RESPONSE',
      })
    }
    await expect(openid.authorizationCodeGrant(config, back, checks)).resolves.toMatchObject({ scope: 'openid' })
  })
})

describe('audiences (RFC 8707)', () => {
  test('a token is worth nothing anywhere but at its resource, and an ID token nowhere', async () => {
    const person = await server.signUp('aud')
    const client = await createShop()
    const { publicUrl, config } = server.context
    const [api, agents] = [`${publicUrl}${config.mount}`, `${publicUrl}/mcp`]
    const tokenFor = async (resource: string) =>
      (await signIn(client, person, { scope: 'openid Score:read', resource })).tokens.access_token
    const plain = (await signIn(client, person, { scope: 'openid profile' })).tokens
    const [ofApi, ofAgents, ofOrders] = [await tokenFor(api), await tokenFor(agents), await tokenFor(orders)]
    const ACL = { [person.objectId]: { read: true } }
    await server.call('POST', '/classes/Score', { points: 1, ACL }, { master: true })
    const readScores = async (options: object) =>
      ((await server.call('GET', '/classes/Score', undefined, options)).body.results as object[] | undefined)
        ?.length === 1
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
    const asAgent = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const doors: [name: string, own: string, isOpen: (token: string) => Promise<boolean>][] = [
      ['API', ofApi, (token) => readScores({ headers: { authorization: `Bearer ${token}` } })],
      ['API as a session', ofApi, (token) => readScores({ token })],
      [
        'agents',
        ofAgents,
        async (token) => {
          const headers = { ...asAgent, authorization: `Bearer ${token}` }
          return (await fetch(agents, { method: 'POST', headers, body: list })).ok
        },
      ],
      [
        'claims',
        plain.access_token,
        async (token) => (await fetch(endpoint('/userinfo'), { headers: { authorization: `Bearer ${token}` } })).ok,
      ],
    ]
    const tokens = [ofApi, ofAgents, ofOrders, plain.access_token, plain.id_token ?? '']
    for (const [name, own, isOpen] of doors)
      for (const [index, token] of tokens.entries())
        expect([name, index, await isOpen(token)]).toEqual([name, index, token === own])
  })
})

describe('redirect addresses (RFC 9700, 2.1)', () => {
  test.each([
    'https://app.example/callback/',
    'https://app.example/callback?x=1',
    'https://app.example/callback#x',
    'https://app.example/callback/../other',
    'https://app.example.evil.example/callback',
    'https://evil.example/callback',
    'https://app.example@evil.example/callback',
    'http://app.example/callback',
    'https://APP.example/Callback',
    'https://app.example:8443/callback',
    'https://app.example/callback%2f..%2f..',
    'https://app.example/CALLBACK',
    'https://app.example:443/callback/.',
    'https://app.example/./callback',
    'https://app.example//callback',
    'https://app.example/callback;x',
    'https://app.example./callback',
    'https://app.example%2f@evil.example/callback',
    'https://app.example\\@evil.example/callback',
    'https://user:pass@app.example/callback',
    'https://app.example/%63allback',
    'https://app.example/callback ',
    ' https://app.example/callback',
    'https://app.example/callback\u0000',
    'http://localhost/callback',
    '//evil.example',
    'javascript:alert(1)',
  ])('%j leads nowhere', async (redirect_uri) => {
    const client = await createShop()
    const { address } = await prepare(await discover(client), client, { redirect_uri })
    const response = await createBrowser().load(address.href)
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
    expect(await response.text()).not.toContain('<script')
    const fields = Object.fromEntries(address.searchParams)
    const pushed = await post('/par', fields, basic(client))
    expect(pushed.status).toBe(400)
  })

  test('of two addresses in one request none counts', async () => {
    const client = await createShop()
    const { address } = await prepare(await discover(client), client, {})
    address.searchParams.append('redirect_uri', 'https://evil.example/callback')
    const response = await createBrowser().load(address.href)
    const location = response.headers.get('location') ?? ''
    // The one address that the client has registered gets the error.
    expect(location).toMatch(/^https:\/\/app\.example\/callback\?error=invalid_request/)
  })

  test('a loopback address may have another port, and nothing else may differ', async () => {
    const loopback = 'http://127.0.0.1/callback'
    const native = await createClient({ kind: 'public', redirectUris: [loopback, callback] })
    const config = await discover(native)
    const { uid } = await open(
      createBrowser(),
      (await prepare(config, native, { redirect_uri: 'http://127.0.0.1:49152/callback' })).address,
    )
    expect(uid).toBeTruthy()
    for (const redirect_uri of [
      'http://127.0.0.1:49152/callback/',
      'http://127.0.0.1:49152/other',
      'https://127.0.0.1:49152/callback',
      'http://127.0.0.2:49152/callback',
      'http://127.0.0.1:49152@evil.example/callback',
      'http://127.0.0.1.evil.example:49152/callback',
      'http://[::1]:49152/callback',
      'http://2130706433:49152/callback?',
      'https://app.example:49152/callback',
    ]) {
      const { address } = await prepare(config, native, { redirect_uri })
      const response = await createBrowser().load(address.href)
      expect([redirect_uri, response.status, response.headers.get('location')]).toEqual([redirect_uri, 400, null])
    }
  })

  test.each([
    'http://app.example/cb',
    'https://app.example/*',
    'https://app.example/#x',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://a:b@app.example/cb',
    'acme:/cb',
    'not an address',
  ])('%s is refused for a new client', async (uri) => {
    for (const kind of ['web', 'public']) {
      const input = { name: 'Acme', kind, redirectUris: [uri] }
      const { body } = await server.call('POST', '/console/oidcClients', input, { master: true })
      expect(body.reason).toBe('invalidRedirectUri')
    }
  })
})

describe('refresh tokens (RFC 9700, 2.2.2)', () => {
  test('a used one ends the whole family, in whatever order thief and owner come', async () => {
    for (const thiefComes of ['first', 'second']) {
      const person = await server.signUp(`refresh ${thiefComes}`)
      const client = await createShop()
      const { config, tokens } = await signIn(client, person, { scope: 'openid offline_access' })
      const stolen = tokens.refresh_token ?? ''
      const renewed = await openid.refreshTokenGrant(config, stolen)
      await expect(openid.refreshTokenGrant(config, stolen)).rejects.toMatchObject({ error: 'invalid_grant' })
      await expect(openid.refreshTokenGrant(config, renewed.refresh_token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
      })
    }
  })

  test('of two renewals at the same time at most one succeeds', async () => {
    const person = await server.signUp('refresh race')
    const client = await createShop()
    const { tokens } = await signIn(client, person, { scope: 'openid offline_access' })
    const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }
    const answers = await Promise.all(Array.from({ length: 6 }, () => post('/token', fields, basic(client))))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    for (const { status } of answers) expect([200, 400]).toContain(status)
  })

  test('it widens no scope', async () => {
    const person = await server.signUp('refresh wide')
    const client = await createShop()
    const { config, tokens } = await signIn(client, person, { scope: 'openid offline_access' })
    const wide = openid.refreshTokenGrant(config, tokens.refresh_token ?? '', { scope: 'openid email' })
    await expect(wide).rejects.toMatchObject({ error: 'invalid_scope' })
  })
})

describe('consent', () => {
  test('a link to the request of another browser opens nothing', async () => {
    const victim = await server.signUp('victim')
    const client = await createShop()
    const attacker = createBrowser()
    const { uid = '' } = await open(attacker, (await prepare(await discover(client), client, {})).address)
    const own = createBrowser()
    expect((await ask(own, uid, victim)).body).toMatchObject({ reason: 'authorizationRequestExpired' })
    expect((await answer(own, uid, victim)).body).toMatchObject({ reason: 'authorizationRequestExpired' })
    // The cookie of another request does not count for this one.
    const { uid: other = '' } = await open(own, (await prepare(await discover(client), client, {})).address)
    const [, value] = [...own.jar].find(([name]) => name.includes(other.slice(0, 12))) ?? []
    if (value) own.jar.set(`countersign-request-${uid.slice(0, 12)}`, value)
    expect((await answer(own, uid, victim)).body).toMatchObject({ reason: 'authorizationRequestExpired' })
  })

  test('an operator who impersonates a user connects no app, and nobody can without a session', async () => {
    const user = await server.signUp('impersonated')
    const client = await createShop()
    const browser = createBrowser()
    const { uid = '' } = await open(browser, (await prepare(await discover(client), client, {})).address)
    expect((await answer(browser, uid, undefined)).body).toMatchObject({ code: 209 })
    const opened = await server.call('POST', '/loginAs', { userId: user.objectId }, { master: true })
    const session = { ...user, token: String(opened.body.sessionToken) }
    expect((await answer(browser, uid, session)).body).toMatchObject({ reason: 'reauthenticationRequired' })
  })

  test('scopes that were not requested are not granted', async () => {
    const person = await server.signUp('wide answer')
    const client = await createShop()
    const { tokens } = await signIn(
      client,
      person,
      {},
      { answer: { allow: true, scopes: ['openid', 'email', 'roles'] } },
    )
    expect(tokens.scope).toBe('openid')
  })

  test('the code of a device without the session of its form leads to a new form', async () => {
    for (const cookie of ['', 'countersign_oidc=ended']) {
      const response = await post('/device', { xsrf: 'x', user_code: 'ABCD-EFGH' }, { cookie })
      expect([response.status, response.headers.get('location')]).toEqual([302, endpoint('/device')])
    }
  })

  test.each<[string, object]>([
    ['another name', { name: 'Acme Bank' }],
    ['another website', { website: 'https://bank.example' }],
    ['a further address to return to', { redirectUris: [callback, 'https://evil.example/callback'] }],
    ['another address after a sign-out', { postLogoutRedirectUris: ['https://evil.example'] }],
    ['no trust of the operator any more', { isTrusted: false }],
  ])('a client with %s is asked for again', async (what, changes) => {
    const person = await server.signUp(`changed ${what}`)
    const client = await createShop({ isTrusted: 'isTrusted' in changes })
    const config = await discover(client)
    const browser = createBrowser()
    browser.keepSession(person.token)
    const { tokens } = await signIn(client, person, { scope: 'openid offline_access' }, { browser })
    const known = await open(browser, (await prepare(config, client, { prompt: 'none' })).address)
    expect(new URL(known.location).searchParams.get('code')).toBeTruthy()
    await server.call('PUT', `/console/oidcClients/${client.clientId}`, changes, { master: true })
    const silent = await open(browser, (await prepare(config, client, { prompt: 'none' })).address)
    expect(new URL(silent.location).searchParams.get('error')).toBe('consent_required')
    const { uid = '' } = await open(browser, (await prepare(config, client, {})).address)
    expect((await ask(browser, uid, person)).body).toMatchObject({ needs: 'consent', granted: [] })
    expect(tokens.refresh_token).toBeTruthy()
  })

  test('trust takes no consent back', async () => {
    const person = await server.signUp('trusted later')
    const client = await createShop()
    const { config, tokens } = await signIn(client, person, { scope: 'openid offline_access' })
    for (const isTrusted of [true, false]) {
      await server.call('PUT', `/console/oidcClients/${client.clientId}`, { isTrusted }, { master: true })
      const browser = createBrowser()
      browser.keepSession(person.token)
      const { uid = '' } = await open(browser, (await prepare(config, client, {})).address)
      expect((await ask(browser, uid, person)).body).toMatchObject({ needs: 'nothing', granted: ['openid'] })
    }
    await expect(openid.refreshTokenGrant(config, tokens.refresh_token ?? '')).resolves.toBeTruthy()
  })

  test('a narrower consent ends wider tokens at once', async () => {
    const person = await server.signUp('narrower')
    const client = await createShop()
    const resource = `${server.context.publicUrl}${server.context.config.mount}`
    const parameters = { scope: 'openid offline_access Score:read Score:create', resource, prompt: 'consent' }
    const { config, tokens } = await signIn(client, person, parameters)
    const create = async (token: string) =>
      (await server.call('POST', '/classes/Score', {}, { headers: { authorization: `Bearer ${token}` } })).status
    expect(await create(tokens.access_token)).toBe(201)
    const input = { allow: true, scopes: ['openid', 'offline_access', 'Score:read'] }
    const narrow = await signIn(client, person, parameters, { answer: input })
    expect(narrow.tokens.scope).not.toContain('Score:create')
    const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '').catch(() => undefined)
    for (const token of [tokens.access_token, narrow.tokens.access_token, renewed?.access_token])
      if (token !== undefined) expect(await create(token), token.slice(-4)).toBeGreaterThanOrEqual(400)
  })

  test('a request for two resources is refused: the screen shows one', async () => {
    const client = await createShop()
    const config = await discover(client)
    const { publicUrl, config: settings } = server.context
    const { address } = await prepare(config, client, { scope: 'openid Score:read' })
    for (const resource of [`${publicUrl}${settings.mount}`, `${publicUrl}/mcp`])
      address.searchParams.append('resource', resource)
    const browser = createBrowser()
    const { location, uid } = await open(browser, address)
    expect(uid).toBeUndefined()
    expect(new URL(location).searchParams.get('error')).toBe('invalid_target')
  })

  test('pages of the provider cannot be framed and run no script', async () => {
    for (const path of ['/authorize?client_id=none', '/device', '/logout']) {
      const response = await createBrowser().load(endpoint(path))
      const policy = response.headers.get('content-security-policy') ?? ''
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("default-src 'none'")
      expect(response.headers.get('x-frame-options')).toBe('DENY')
    }
  })
})

describe('addresses and hosts', () => {
  test('headers of a request change no address', async () => {
    const response = await fetch(endpoint('/.well-known/openid-configuration'), {
      headers: { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https', Forwarded: 'host=evil.example' },
    })
    const text = await response.text()
    expect(text).not.toContain('evil.example')
    expect(JSON.parse(text).issuer).toBe(`${server.context.publicUrl}/oidc`)
  })

  test.each([
    'http://app.example/client',
    'https://other.example/client',
    'https://127.0.0.1/client',
    'https://[::1]/client',
    'https://app.example.evil.example/client',
    'https://app.example:8443/client',
    'https://localhost/client',
    'file:///etc/passwd',
  ])('no document is read from %s', async (address) => {
    await expect(createClientFetch(server.context)(address)).rejects.toThrow('metadataHosts')
  })

  test('with every host allowed, private addresses are still refused', async () => {
    const open = {
      ...server.context,
      config: { ...server.context.config, oidc: { ...server.context.config.oidc, metadataHosts: ['*'] } },
    }
    for (const address of [
      'https://127.0.0.1/x',
      'https://[::1]/x',
      'https://169.254.169.254/x',
      'https://localhost/x',
      'https://localhost./x',
      'https://2130706433/x',
      'https://0x7f.1/x',
      'https://0177.0.0.1/x',
      'https://0.0.0.0/x',
      'https://[::ffff:127.0.0.1]/x',
      'https://[::ffff:a9fe:a9fe]/x',
      'https://[64:ff9b::7f00:1]/x',
      'https://[fe80::1]/x',
      'https://[fd00::1]/x',
      'https://10.0.0.1/x',
      'https://100.64.0.1/x',
      'https://192.168.1.1:8443/x',
    ])
      await expect(createClientFetch(open)(address)).rejects.toThrow(/internet|ENOTFOUND localhost\./)
  })

  test('registration of clients is off by default', async () => {
    const response = await fetch(endpoint('/register'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['https://evil.example/cb'] }),
    })
    expect(response.status).toBe(404)
  })

  test('malformed and oversized requests get a clear 4xx', async () => {
    for (const [path, init] of [
      [
        '/token',
        { method: 'POST', body: 'x'.repeat(100_000), headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      ],
      ['/token', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }],
      [`/authorize?x=${'y'.repeat(20_000)}`, {}],
      ['/authorize?client_id=%00', {}],
      ['/authorize?client_id=a&client_id=b', {}],
      ['/userinfo', { headers: { authorization: `Bearer ${'z'.repeat(5_000)}` } }],
      ['/userinfo', { headers: { authorization: 'Bearer \u0001' } }],
    ] as const) {
      const response = await fetch(endpoint(path), init).catch(() => undefined)
      if (!response) continue
      expect(response.status, path).toBeGreaterThanOrEqual(400)
      expect(response.status, path).toBeLessThan(500)
      expect(await response.text()).not.toMatch(/select |node_modules| at .*\.js/)
    }
  })
})
