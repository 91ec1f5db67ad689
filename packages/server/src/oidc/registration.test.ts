import * as openid from 'openid-client'
import { expect, test } from 'vitest'
import { createOidcPeople } from '../testing/oidc/createOidcPeople.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests({ rateLimit: [], oidc: { dynamicRegistration: true } })
const { discover, prepare, open, ask, createBrowser, signIn } = createOidcPeople(() => server)

const redirectUri = 'https://far.example/callback'
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

async function register(metadata: object) {
  const response = await fetch(`${server.context.publicUrl}/oidc/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [redirectUri], token_endpoint_auth_method: 'none', ...metadata }),
  })
  const body = (await response.json()) as { client_id: string; client_secret?: string }
  expect(response.status, JSON.stringify(body)).toBe(201)
  return { clientId: body.client_id, secret: body.client_secret, redirectUri }
}

test('a client that registered itself is shown as unchecked, and cannot make itself trusted', async () => {
  const person = await server.signUp('reg')
  const client = await register({ client_name: 'Far Shop', isTrusted: true, isRegistered: false })
  const browser = createBrowser()
  browser.keepSession(person.token)
  const { address } = await prepare(await discover(client), client, { scope: 'openid profile' })
  const { uid = '' } = await open(browser, address)
  expect((await ask(browser, uid, person)).body).toMatchObject({
    needs: 'consent',
    client: { name: 'Far Shop', host: 'far.example', origin: 'registered' },
  })
  await signIn(client, person, { scope: 'openid profile' }, { browser })
  const listed = await server.call('GET', '/console/oidcClients', undefined, { master: true })
  expect(listed.body.results).toContainEqual(expect.objectContaining({ isRegistered: true, isTrusted: false }))
})

test('names lose what hides or reverses text, on the consent, in lists and in the activity', async () => {
  const person = await server.signUp('bidi')
  const client = await register({
    client_name: 'Bank\u202e\u200b\n(checked)\u2066',
    client_uri: 'https://bank.example',
  })
  const browser = createBrowser()
  browser.keepSession(person.token)
  const { address } = await prepare(await discover(client), client, {})
  const { uid = '' } = await open(browser, address)
  expect((await ask(browser, uid, person)).body.client).toMatchObject({ name: 'Bank (checked)', host: 'far.example' })
  await signIn(client, person, {}, { browser })
  const { body } = await server.call('GET', '/auth/connectedApps', undefined, { token: person.token })
  // The website is a claim of the client; the host of its redirect address is not.
  expect(body.results).toMatchObject([{ name: 'Bank (checked)', host: 'far.example' }])
})

test('a device of an unchecked client names no host: nothing proves one', async () => {
  const person = await server.signUp('dev')
  const names = {
    client_name: 'Terminal',
    client_uri: 'https://bank.example',
    redirect_uris: ['https://bank.example/cb'],
  }
  const client = await register({ ...names, grant_types: [deviceGrant, 'authorization_code'] })
  const started = await openid.initiateDeviceAuthorization(await discover(client), { scope: 'openid' })
  const browser = createBrowser()
  browser.keepSession(person.token)
  const page = await (await browser.load(started.verification_uri)).text()
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const confirmed = await browser.load(started.verification_uri, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ xsrf, user_code: started.user_code, confirm: 'yes' }).toString(),
  })
  const uid = /\/authorize\/([\w-]+)$/.exec(confirmed.headers.get('location') ?? '')?.[1] ?? ''
  expect((await ask(browser, uid, person)).body).toMatchObject({
    client: { host: '', origin: 'registered' },
    userCode: started.user_code,
  })
})

test('names of operators have no hidden characters either', async () => {
  const input = { name: 'Shop\u202e', kind: 'web', redirectUris: [redirectUri] }
  const made = await server.call('POST', '/console/oidcClients', input, { master: true })
  expect(made.body.reason).toBe('hiddenCharacters')
  const { token } = await server.signUp('namer')
  const draft = { name: 'x\u2066', scopes: ['Score:read'] }
  expect((await server.call('POST', '/auth/tokens', draft, { token })).body.reason).toBe('hiddenCharacters')
  expect((await server.call('POST', '/console/accessKeys', draft, { master: true })).body.reason).toBe(
    'hiddenCharacters',
  )
})
