import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createOidcPeople, type TestClient } from '../testing/oidc/createOidcPeople.ts'
import { serveTests } from '../testing/serveTests.ts'

// Host of a client, as the internet would have it: https, with a name that leads to it.
const folder = mkdtempSync(join(tmpdir(), 'countersign-cimd-'))
execFileSync(
  'openssl',
  ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=agent.example', '-days', '1']
    .concat(['-addext', 'subjectAltName=DNS:agent.example'])
    .concat(['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]),
  { stdio: 'ignore' },
)
let respond: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => response.end()
const asked: string[] = []
const host = createServer(
  { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, 'cert.pem')) },
  (request, response) => {
    asked.push(request.url ?? '')
    respond(request, response)
  },
)
await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
const origin = `https://agent.example:${(host.address() as AddressInfo).port}`

const server = serveTests({ rateLimit: [], oidc: { metadataHosts: [new URL(origin).host] } })
const { discover, prepare, open, ask, signIn, createBrowser } = createOidcPeople(() => server)

beforeAll(() => {
  // The certificate of the host is its own.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  server.context.services.clientLookup = (name, { all }, callback) => {
    if (name !== 'agent.example') return callback(new Error(`no such host: ${name}`), '')
    if (all)
      (callback as unknown as (error: null, found: object[]) => void)(null, [{ address: '127.0.0.1', family: 4 }])
    else callback(null, '127.0.0.1', 4)
  }
})
afterAll(() => {
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  rmSync(folder, { recursive: true })
  host.close()
})
beforeEach(() => {
  asked.length = 0
})

const redirectUri = `${origin}/callback`
const clientAt = (path: string): TestClient => ({ clientId: `${origin}${path}`, redirectUri })

const documentOf = (path: string, changes: object = {}) => ({
  client_id: `${origin}${path}`,
  client_name: 'Far Agent',
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  ...changes,
})

const serve = (content: object | string, type = 'application/json') => {
  respond = (_request, response) => {
    response.setHeader('Content-Type', type)
    response.end(typeof content === 'string' ? content : JSON.stringify(content))
  }
}

test('a client without registration signs a person in by its document; a changed one needs a new consent', async () => {
  const person = await server.signUp('far')
  const client = clientAt('/client')
  serve(documentOf('/client'))
  const browser = createBrowser()
  browser.keepSession(person.token)
  const { tokens } = await signIn(client, person, {}, { browser })
  expect(tokens.claims()).toMatchObject({ sub: person.objectId, aud: client.clientId })
  const config = await discover(client)
  expect((await open(browser, (await prepare(config, client, {})).address)).uid, 'known').toBeUndefined()
  expect(asked, 'read once').toEqual(['/client'])

  serve(documentOf('/client', { client_name: 'Your Bank' }))
  // Forgets the document, as an hour does.
  await server.call('POST', '/console/oidcKeys', {}, { master: true })
  const { uid = '' } = await open(browser, (await prepare(config, client, {})).address)
  expect((await ask(browser, uid, person)).body).toMatchObject({
    needs: 'consent',
    granted: [],
    client: { name: 'Your Bank', origin: 'document', host: new URL(origin).host },
  })
})

test('a document cannot make its client trusted, so that people are not asked', async () => {
  const person = await server.signUp('asked')
  const client = clientAt('/trusted')
  serve(documentOf('/trusted', { isTrusted: true, isRegistered: false }))
  const browser = createBrowser()
  browser.keepSession(person.token)
  const config = await discover(client)
  const { uid = '' } = await open(browser, (await prepare(config, client, { scope: 'openid email' })).address)
  expect((await ask(browser, uid, person)).body).toMatchObject({ needs: 'consent', client: { origin: 'document' } })
})

test.each<[string, () => void]>([
  ['of another id', () => serve(documentOf('/elsewhere'))],
  [
    'with a secret',
    () => serve(documentOf('/bad', { client_secret: 'x', token_endpoint_auth_method: 'client_secret_basic' })),
  ],
  ['that is no JSON', () => serve('<html>', 'text/html')],
  ['that is too large', () => serve(documentOf('/bad', { logo_uri: `https://x.example/${'x'.repeat(40_000)}` }))],
  [
    'that lies elsewhere',
    () => {
      respond = (_request, response) => response.writeHead(302, { location: `${origin}/client` }).end()
    },
  ],
  [
    'that lies in a private network',
    () => {
      respond = (_request, response) => response.writeHead(307, { location: 'http://169.254.169.254/latest' }).end()
    },
  ],
  [
    'that fails',
    () => {
      respond = (_request, response) => response.writeHead(500).end()
    },
  ],
])('a document %s opens nothing', async (name, prepareHost) => {
  prepareHost()
  const path = `/bad?${encodeURIComponent(name)}`
  const client = clientAt(path)
  const address = `${server.context.publicUrl}/oidc/authorize?${new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })}`
  const response = await createBrowser().load(address)
  expect(response.status).toBe(400)
  expect([...new Set(asked)], 'no redirect is followed').toEqual([path])
})

test('the address to return to is one of the document', async () => {
  serve(documentOf('/strict'))
  const config = await discover(clientAt('/strict'))
  const { address } = await prepare(config, { ...clientAt('/strict'), redirectUri: 'https://evil.example/cb' }, {})
  const response = await createBrowser().load(address.href)
  expect(response.status).toBe(400)
  expect(response.headers.get('location')).toBeNull()
})
