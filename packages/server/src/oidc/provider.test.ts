import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import * as openid from 'openid-client'
import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { ticketOf } from '../testing/accounts/secondFactorAnswers.ts'
import { createWalletUser } from '../testing/createWalletUser.ts'
import { createOidcPeople } from '../testing/oidc/createOidcPeople.ts'
import { serveTests } from '../testing/serveTests.ts'

const orders = 'https://orders.example/api'
const server = serveTests({
  rateLimit: [],
  oidc: { resources: [{ url: orders, scopes: ['orders:read', 'orders:write'] }] },
})
const { createClient, discover, signIn, open, ask, answer, consent, prepare, createBrowser } = createOidcPeople(
  () => server,
)

const callback = 'https://app.example/callback'
const createShop = (given: object = {}) => createClient({ redirectUris: [callback], ...given })
const findXsrf = (page: string) => /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
const master = (method: string, path: string, body: object = {}) => server.call(method, path, body, { master: true })

test('openid-client signs a person in by code and PKCE, and reads claims', async () => {
  const ada = await server.signUp('ada')
  const client = await createShop()
  const { config, tokens, back } = await signIn(client, ada, { scope: 'openid profile email offline_access' })
  expect(tokens.claims()).toMatchObject({ sub: ada.objectId, preferred_username: 'ada' })
  expect(tokens.refresh_token).toBeTypeOf('string')
  // RFC 9207: a client that knows several issuers sees which one responded.
  expect(back.searchParams.get('iss')).toBe(`${server.context.publicUrl}/oidc`)
  const info = await openid.fetchUserInfo(config, tokens.access_token, ada.objectId)
  expect(info).toMatchObject({ sub: ada.objectId, preferred_username: 'ada' })
})

test('a person sees who asks for what, and may refuse parts or all of it', async () => {
  const ben = await server.signUp('ben', { email: 'ben@example.com' })
  const client = await createShop({ website: 'https://acme.example' })
  const config = await discover(client)
  const browser = createBrowser()
  const { address } = await prepare(config, client, { scope: 'openid profile email' })
  const { uid = '' } = await open(browser, address)
  expect((await ask(browser, uid)).body).toMatchObject({ needs: 'signIn' })
  expect((await ask(browser, uid, ben)).body).toEqual({
    client: { name: 'Acme Shop', host: 'app.example', origin: 'operator' },
    scopes: ['openid', 'profile', 'email'],
    granted: [],
    needs: 'consent',
  })
  const refused = await answer(browser, uid, undefined, { allow: false })
  const back = new URL(await browser.follow(String(refused.body.location)))
  expect(back.searchParams.get('error')).toBe('access_denied')

  const partly = await signIn(client, ben, { scope: 'openid email' }, { answer: { allow: true, scopes: ['openid'] } })
  expect(partly.tokens.claims()).not.toHaveProperty('email')
})

test('with a session here a known app signs in without a screen; after signing out it does not', async () => {
  const cleo = await server.signUp('cleo')
  const client = await createShop()
  const browser = createBrowser()
  browser.keepSession(cleo.token)
  await signIn(client, cleo, {}, { browser })
  const config = await discover(client)
  const again = await open(browser, (await prepare(config, client, {})).address)
  expect(again).toMatchObject({ uid: undefined, location: expect.stringContaining(`${callback}?code=`) })
  const none = await open(browser, (await prepare(config, client, { prompt: 'none' })).address)
  expect(new URL(none.location).searchParams.get('code')).toBeTruthy()

  await server.call('POST', '/logout', {}, { token: cleo.token })
  expect((await open(browser, (await prepare(config, client, {})).address)).uid).toBeTruthy()
  const silent = await open(browser, (await prepare(config, client, { prompt: 'none' })).address)
  expect(new URL(silent.location).searchParams.get('error')).toBe('login_required')

  // Another person at the same browser is asked, and gets an account of their own.
  const dan = await server.signUp('dan')
  browser.keepSession(dan.token)
  const { uid } = await open(browser, (await prepare(config, client, {})).address)
  expect(uid).toBeTruthy()
})

test('an old session must be confirmed where the app asks for it', async () => {
  const eva = await server.signUp('eva')
  const client = await createShop()
  const config = await discover(client)
  const browser = createBrowser()
  server.clock.forward(10 * 60_000)
  const { uid = '' } = await open(browser, (await prepare(config, client, { max_age: '60' })).address)
  expect((await ask(browser, uid, eva)).body).toMatchObject({ needs: 'confirmation' })
  expect((await answer(browser, uid, eva)).body).toMatchObject({ reason: 'reauthenticationRequired' })
  const confirmed = await server.call(
    'POST',
    '/auth/reauthenticate',
    { password: 'eva password' },
    { token: eva.token },
  )
  const fresh = { ...eva, token: String(confirmed.body.sessionToken) }
  expect((await answer(browser, uid, fresh)).status).toBe(200)
})

test('a changed client needs a new consent', async () => {
  const fay = await server.signUp('fay')
  const client = await createShop()
  const browser = createBrowser()
  browser.keepSession(fay.token)
  const config = await discover(client)
  await signIn(client, fay, {}, { browser })
  expect((await open(browser, (await prepare(config, client, {})).address)).uid).toBeUndefined()
  await master('PUT', `/console/oidcClients/${client.clientId}`, { name: 'Acme Bank' })
  const { uid = '' } = await open(browser, (await prepare(config, client, {})).address)
  expect((await ask(browser, uid, fay)).body).toMatchObject({ needs: 'consent', granted: [] })
})

test('a trusted client asks nothing of a signed-in person', async () => {
  const gus = await server.signUp('gus')
  const client = await createShop({ isTrusted: true })
  const browser = createBrowser()
  browser.keepSession(gus.token)
  const config = await discover(client)
  const { uid = '' } = await open(browser, (await prepare(config, client, { scope: 'openid profile' })).address)
  expect((await ask(browser, uid, gus)).body).toMatchObject({ needs: 'nothing' })
  const { tokens } = await signIn(client, gus, { scope: 'openid profile' }, { browser })
  expect(tokens.claims()).toMatchObject({ preferred_username: 'gus' })
})

test('ending the access of an app ends its tokens at once', async () => {
  const hal = await server.signUp('hal')
  const client = await createShop()
  const { config, tokens } = await signIn(client, hal, { scope: 'openid profile offline_access' })
  const listed = await server.call('GET', '/auth/connectedApps', undefined, { token: hal.token })
  const [app] = listed.body.results as { id: string }[]
  expect(app).toMatchObject({ name: 'Acme Shop', scopes: ['openid', 'profile', 'offline_access'] })
  const other = await server.signUp('hals neighbour')
  const foreign = await server.call('DELETE', `/auth/connectedApps/${app?.id}`, undefined, { token: other.token })
  expect(foreign.status).toBe(404)
  const ended = await server.call('DELETE', `/auth/connectedApps/${app?.id}`, undefined, { token: hal.token })
  expect(ended.status, ended.text).toBe(200)
  await expect(openid.fetchUserInfo(config, tokens.access_token, hal.objectId)).rejects.toThrow()
  await expect(openid.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
})

test('a new password ends the access of every app', async () => {
  const hugo = await server.signUp('hugo')
  const client = await createShop()
  const { config, tokens } = await signIn(client, hugo, { scope: 'openid profile offline_access' })
  const change = { currentPassword: 'hugo password', newPassword: 'another one' }
  expect((await server.call('POST', '/changePassword', change, { token: hugo.token })).status).toBe(200)
  await expect(openid.fetchUserInfo(config, tokens.access_token, hugo.objectId)).rejects.toThrow()
  await expect(openid.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
})

test('a disabled account gives apps nothing', async () => {
  const ida = await server.signUp('ida')
  const client = await createShop()
  const { config, tokens } = await signIn(client, ida, { scope: 'openid profile offline_access' })
  const { status, text } = await master('POST', `/console/users/${ida.objectId}/disable`)
  expect(status, text).toBe(200)
  await expect(openid.fetchUserInfo(config, tokens.access_token, ida.objectId)).rejects.toThrow()
  await expect(openid.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
})

test('a token for an API names it as its audience, and is no token for claims', async () => {
  const jan = await server.signUp('jan')
  const client = await createShop()
  const parameters = { scope: 'openid orders:read', resource: orders }
  const { config, tokens } = await signIn(client, jan, parameters)
  expect(decodeJwt(tokens.access_token)).toMatchObject({ aud: orders, scope: 'orders:read', sub: jan.objectId })
  await expect(openid.fetchUserInfo(config, tokens.access_token, jan.objectId)).rejects.toThrow()
  const { address } = await prepare(config, client, { scope: 'openid', resource: 'https://other.example' })
  const refused = await createBrowser().follow(address.href)
  expect(new URL(refused).searchParams.get('error')).toBe('invalid_target')
})

test('an app acts on documents with what the person allowed, and nothing else', async () => {
  const rik = await server.signUp('rik')
  const client = await createShop()
  const api = server.context.publicUrl + server.context.config.mount
  const parameters = { scope: 'openid offline_access Score:read', resource: api }
  const { config, tokens } = await signIn(client, rik, parameters)
  expect(tokens.access_token).toMatch(/^cs_oat_/)
  const ACL = { [rik.objectId]: { read: true, write: true } }
  await server.call('POST', '/classes/Score', { points: 7, ACL }, { token: rik.token })
  const call = (method: string, path: string, token = tokens.access_token) =>
    server.call(method, path, method === 'GET' ? undefined : {}, { headers: { authorization: `Bearer ${token}` } })
  expect((await call('GET', '/classes/Score')).body.results).toMatchObject([{ points: 7 }])
  for (const [method, path] of [
    ['POST', '/classes/Score'],
    ['GET', '/classes/Other'],
    ['GET', '/auth/wallets'],
    ['GET', '/auth/connectedApps'],
    ['POST', '/sessions'],
    ['GET', '/classes/_Session'],
  ] as const)
    expect((await call(method, path)).status, `${method} ${path}`).toBeGreaterThanOrEqual(400)

  const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')
  expect((await call('GET', '/classes/Score', renewed.access_token)).status).toBe(200)
  const listed = await server.call('GET', '/auth/connectedApps', undefined, { token: rik.token })
  const [app] = listed.body.results as { id: string }[]
  await server.call('DELETE', `/auth/connectedApps/${app?.id}`, undefined, { token: rik.token })
  for (const token of [tokens.access_token, renewed.access_token])
    await expect.poll(async () => (await call('GET', '/classes/Score', token)).body.code).toBe(209)
})

test('introspection and revocation tell what a token is worth', async () => {
  const kim = await server.signUp('kim')
  const client = await createShop()
  const { config, tokens } = await signIn(client, kim, { scope: 'openid offline_access' })
  expect(await openid.tokenIntrospection(config, tokens.access_token)).toMatchObject({
    active: true,
    sub: kim.objectId,
  })
  await openid.tokenRevocation(config, tokens.refresh_token ?? '')
  await expect(openid.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
})

test('DPoP binds tokens to a key; a proof is accepted once', async () => {
  const lea = await server.signUp('lea')
  const client = await createShop()
  const config = await discover(client)
  const keys = await openid.randomDPoPKeyPair()
  const DPoP = openid.getDPoPHandle(config, keys)
  const { address, verifier, state, nonce } = await prepare(config, client, { scope: 'openid profile' })
  const back = await consent(createBrowser(), address, lea)
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce }
  const tokens = await openid.authorizationCodeGrant(config, back, checks, undefined, { DPoP })
  expect(tokens.token_type).toBe('dpop')
  expect(await openid.fetchUserInfo(config, tokens.access_token, lea.objectId, { DPoP })).toMatchObject({
    preferred_username: 'lea',
  })
  await expect(openid.fetchUserInfo(config, tokens.access_token, lea.objectId)).rejects.toThrow()

  const proofs: string[] = []
  const url = new URL(`${server.context.publicUrl}/oidc/userinfo`)
  const sent = await openid.fetchProtectedResource(config, tokens.access_token, url, 'GET', undefined, undefined, {
    DPoP,
  })
  expect(sent.status).toBe(200)
  config[openid.customFetch] = async (address, options) => {
    proofs.push(new Headers(options.headers).get('dpop') ?? '')
    return fetch(address, options as RequestInit)
  }
  await openid.fetchUserInfo(config, tokens.access_token, lea.objectId, { DPoP })
  const replayed = await fetch(url, {
    headers: { authorization: `DPoP ${tokens.access_token}`, dpop: proofs[0] ?? '' },
  })
  expect(replayed.status).toBe(401)
})

test('pairwise ids differ by client and survive a rotation of keys', async () => {
  const mia = await server.signUp('mia')
  const [one, two] = [
    await createClient({ redirectUris: ['https://one.example/cb'], isPairwise: true }),
    await createClient({ redirectUris: ['https://two.example/cb'], isPairwise: true }),
  ]
  const subOf = async (client: typeof one) => (await signIn(client, mia)).tokens.claims()?.sub
  const first = await subOf(one)
  expect(first).not.toBe(mia.objectId)
  expect(await subOf(two)).not.toBe(first)
  await master('POST', '/console/oidcKeys')
  expect(await subOf(one)).toBe(first)
})

test('new keys sign at once; tokens of the former ones are verified for two days', async () => {
  const ned = await server.signUp('ned')
  const client = await createShop()
  const before = (await signIn(client, ned)).tokens.id_token ?? ''
  await master('POST', '/console/oidcKeys')
  const after = (await signIn(client, ned)).tokens.id_token ?? ''
  expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid)
  const jwks = createRemoteJWKSet(new URL(`${server.context.publicUrl}/oidc/jwks`))
  for (const token of [before, after]) await jwtVerify(token, jwks)
})

test('a terminal gets access by the device flow, after the person saw its code', async () => {
  const oli = await server.signUp('oli')
  const client = await createClient({ redirectUris: [], kind: 'public', device: true, name: 'Acme Terminal' })
  const config = await discover(client)
  const started = await openid.initiateDeviceAuthorization(config, { scope: 'openid profile' })
  const browser = createBrowser()
  const page = await browser.load(started.verification_uri)
  let shown = await page.text()
  const send = (fields: Record<string, string>) =>
    browser.load(started.verification_uri, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ xsrf: findXsrf(shown), ...fields }).toString(),
    })
  shown = await (await send({ user_code: 'BBBB-BBBB' })).text()
  expect(shown).toContain('wrong or expired')
  shown = await (await send({ user_code: started.user_code })).text()
  expect(shown).toContain('Acme Terminal')
  expect(shown).toContain(started.user_code)
  const confirmed = await send({ user_code: started.user_code, confirm: 'yes' })
  const uid = /\/authorize\/([\w-]+)$/.exec(confirmed.headers.get('location') ?? '')?.[1] ?? ''
  expect((await ask(browser, uid, oli)).body).toMatchObject({ needs: 'consent' })
  const { body } = await answer(browser, uid, oli)
  const done = await browser.load(String(body.location))
  expect(await done.text()).toContain('Device connected')
  const tokens = await openid.pollDeviceAuthorizationGrant(config, started)
  expect(tokens.claims()).toMatchObject({ preferred_username: 'oli' })
})

test('ID tokens state how the person signed in', async () => {
  const client = await createShop()
  const claimsOf = async (person: { objectId: string; token: string }) => (await signIn(client, person)).tokens.claims()
  const amy = await server.signUp('amy')
  expect(await claimsOf(amy)).toMatchObject({ amr: ['pwd'], acr: 'urn:countersign:acr:1' })
  const wallet = await createWalletUser(server)
  expect(await claimsOf(wallet)).toMatchObject({ amr: ['pop'], acr: 'urn:countersign:acr:1' })
  // A session that continues another states nothing.
  const { body } = await server.call('POST', '/sessions', {}, { token: amy.token })
  const continued = await claimsOf({ ...amy, token: String(body.sessionToken) })
  expect(continued).not.toHaveProperty('amr')
  expect(continued).not.toHaveProperty('acr')

  const { body: made } = await server.call('POST', '/auth/totp', {}, { token: amy.token })
  const totp = new TOTP({ secret: Secret.fromBase32(String(made.secret)) })
  const code = () => totp.generate({ timestamp: server.clock.ms() })
  const confirmed = await server.call('POST', '/auth/totp/confirm', { code: code() }, { token: amy.token })
  expect(confirmed.status, confirmed.text).toBeLessThan(300)
  server.clock.forward(30_000)
  const first = await server.call('POST', '/login', { username: 'amy', password: 'amy password' })
  const ticket = ticketOf(first)
  const second = await server.call('POST', '/auth/signInWithSecondFactor', { ticket, code: code() })
  const strong = { ...amy, token: String(second.body.sessionToken) }
  expect(await claimsOf(strong)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: 'urn:countersign:acr:2' })
})

test('an app that wants two factors has the person confirm, and learns what was shown', async () => {
  const zoe = await server.signUp('zoe')
  const client = await createShop()
  const config = await discover(client)
  const browser = createBrowser()
  browser.keepSession(zoe.token)
  await signIn(client, zoe, {}, { browser })
  const acr = { acr_values: 'urn:countersign:acr:2' }
  const silent = await open(browser, (await prepare(config, client, { ...acr, prompt: 'none' })).address)
  expect(new URL(silent.location).searchParams.get('error')).toBe('login_required')
  server.clock.forward(10 * 60_000)
  const { uid = '' } = await open(browser, (await prepare(config, client, acr)).address)
  expect((await ask(browser, uid, zoe)).body).toMatchObject({ needs: 'confirmation' })
  expect((await answer(browser, uid, zoe)).body).toMatchObject({ reason: 'reauthenticationRequired' })
  const satisfied = await open(
    browser,
    (await prepare(config, client, { acr_values: 'urn:countersign:acr:1' })).address,
  )
  expect(satisfied.uid).toBeUndefined()
})

/** An app that listens for sign-outs. */
async function listenForSignOuts() {
  const notices: string[] = []
  const listener = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    notices.push(String(decodeJwt(new URLSearchParams(text).get('logout_token') ?? '').sub))
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => listener.once('listening', resolve))
  const backchannelLogoutUri = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/out`
  return { notices, client: await createShop({ backchannelLogoutUri }), close: () => listener.close() }
}

test('notifies apps of a sign-out here, a session ended elsewhere, and ended access', async () => {
  const { notices, client, close } = await listenForSignOuts()
  const signInAgain = async (name: string) =>
    String((await server.call('POST', '/login', { username: name, password: `${name} password` })).body.sessionToken)
  const person = await server.signUp('tess')
  const ends: [string, (token: string) => Promise<unknown>][] = [
    ['sign-out', (token) => server.call('POST', '/logout', {}, { token })],
    ['others', async () => server.call('POST', '/revokeOtherSessions', {}, { token: await signInAgain('tess') })],
    [
      'new password',
      async () => {
        const change = { currentPassword: 'tess password', newPassword: 'tess password 2' }
        return server.call('POST', '/changePassword', change, { token: await signInAgain('tess') })
      },
    ],
  ]
  for (const [name, end] of ends) {
    notices.length = 0
    const token = await signInAgain('tess')
    const browser = createBrowser()
    browser.keepSession(token)
    await signIn(client, { ...person, token }, {}, { browser })
    expect(notices).toEqual([])
    await end(token)
    await expect.poll(() => notices, { timeout: 60_000, message: name }).toEqual([person.objectId])
    // The provider's own session is over, too.
    const config = await discover(client)
    const silent = await open(browser, (await prepare(config, client, { prompt: 'none' })).address)
    expect(new URL(silent.location).searchParams.get('error'), name).toBe('login_required')
  }
  notices.length = 0
  const una = await server.signUp('una')
  await signIn(client, una)
  const listed = await server.call('GET', '/auth/connectedApps', undefined, { token: una.token })
  const [app] = listed.body.results as { id: string }[]
  await server.call('DELETE', `/auth/connectedApps/${app?.id}`, undefined, { token: una.token })
  await expect.poll(() => notices, { timeout: 60_000 }).toEqual([una.objectId])
  close()
})

test('signing out at an app signs out here, and tells the other apps', async () => {
  const notices: string[] = []
  const listener = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    notices.push(text)
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => listener.once('listening', resolve))
  const backchannel = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/out`
  const pia = await server.signUp('pia')
  const left = 'https://app.example/left'
  const client = await createShop({ postLogoutRedirectUris: [left], backchannelLogoutUri: backchannel })
  const browser = createBrowser()
  browser.keepSession(pia.token)
  const { config, tokens } = await signIn(client, pia, {}, { browser })
  const address = openid.buildEndSessionUrl(config, {
    id_token_hint: tokens.id_token ?? '',
    post_logout_redirect_uri: left,
  })
  const page = await (await browser.load(address.href)).text()
  const out = await browser.load(`${server.context.publicUrl}/oidc/logout/confirm`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ xsrf: findXsrf(page), logout: 'yes' }).toString(),
  })
  expect(out.headers.get('location')).toBe(left)
  expect(decodeJwt(new URLSearchParams(notices[0]).get('logout_token') ?? '')).toMatchObject({ sub: pia.objectId })
  expect((await server.call('GET', '/users/me', undefined, { token: pia.token })).body.code).toBe(209)
  listener.close()
})
