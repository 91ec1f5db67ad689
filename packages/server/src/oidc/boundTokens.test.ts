import { setTimeout as pause } from 'node:timers/promises'
import * as openid from 'openid-client'
import { expect, test } from 'vitest'
import { createOidcPeople } from '../testing/oidc/createOidcPeople.ts'
import { openLiveSocket } from '../testing/openLiveSocket.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests({ rateLimit: [] })
const { createClient, discover, prepare, consent, createBrowser } = createOidcPeople(() => server)

/** Calls the API as a client that holds the key of a token. */
async function callWithProof(
  DPoP: ReturnType<typeof openid.getDPoPHandle>,
  config: openid.Configuration,
  token: string,
  url: URL,
) {
  const proofs: string[] = []
  config[openid.customFetch] = async (address, options) => {
    proofs.push(new Headers(options.headers).get('dpop') ?? '')
    return fetch(address, options as RequestInit)
  }
  const response = await openid.fetchProtectedResource(config, token, url, 'GET', undefined, undefined, { DPoP })
  return { status: response.status, proof: proofs[0] ?? '' }
}

test('a proof is good for a body that comes slowly', async () => {
  const person = await server.signUp('slow')
  const client = await createClient({ redirectUris: ['https://app.example/callback'] })
  const config = await discover(client)
  const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair())
  const api = `${server.context.publicUrl}${server.context.config.mount}`
  const parameters = { scope: 'openid Score:create', resource: api }
  const { address, verifier, state, nonce } = await prepare(config, client, parameters)
  const back = await consent(createBrowser(), address, person)
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce }
  const { access_token } = await openid.authorizationCodeGrant(config, back, checks, undefined, { DPoP })
  // The server identifies the caller again if the body took longer than a revocation may.
  config[openid.customFetch] = (to, options) => {
    const body = new ReadableStream({
      async start(stream) {
        await pause(200)
        stream.enqueue(new TextEncoder().encode('{"points":1}'))
        stream.close()
      },
    })
    return fetch(to, { ...(options as RequestInit), body, duplex: 'half' } as RequestInit)
  }
  const url = new URL(`${api}/classes/Score`)
  const made = await openid.fetchProtectedResource(config, access_token, url, 'POST', '{}', undefined, { DPoP })
  expect(made.status, await made.text()).toBe(201)
})

test('a token for the API that is bound to a key needs a proof of it, which counts once', async () => {
  const rob = await server.signUp('rob')
  const client = await createClient({ redirectUris: ['https://app.example/callback'] })
  const config = await discover(client)
  const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair())
  const api = `${server.context.publicUrl}${server.context.config.mount}`
  const parameters = { scope: 'openid Score:read', resource: api }
  const { address, verifier, state, nonce } = await prepare(config, client, parameters)
  const back = await consent(createBrowser(), address, rob)
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce }
  const tokens = await openid.authorizationCodeGrant(config, back, checks, undefined, { DPoP })
  expect(tokens.token_type).toBe('dpop')
  const token = tokens.access_token
  await server.call('POST', '/classes/Score', { points: 1 }, { master: true })
  const url = new URL(`${api}/classes/Score`)
  const { status, proof } = await callWithProof(DPoP, config, token, url)
  expect(status).toBe(200)
  const refused = async (headers: Record<string, string>, path = '/classes/Score', method = 'GET') =>
    (await fetch(`${api}${path}`, { method, headers })).status
  const asDPoP = `DPoP ${token}`
  expect(await refused({ authorization: asDPoP, dpop: proof }), 'replayed').toBe(401)
  expect(await refused({ authorization: asDPoP }), 'without a proof').toBe(401)
  expect(await refused({ authorization: `Bearer ${token}` }), 'as a bearer token').toBe(401)
  const other = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair())
  expect((await callWithProof(other, config, token, url)).status, 'another key').toBeGreaterThanOrEqual(400)
  const elsewhere = await callWithProof(DPoP, config, token, new URL(`${api}/classes/None?limit=1`))
  expect(elsewhere.status, 'beyond the scope').toBe(403)
  expect(await refused({ authorization: asDPoP, dpop: elsewhere.proof }), 'for another address').toBe(401)
  expect(await refused({ authorization: asDPoP, dpop: 'x' }), 'malformed').toBe(401)
  const unsigned = `${Buffer.from('{"alg":"none","typ":"dpop+jwt"}').toString('base64url')}.e30.`
  expect(await refused({ authorization: asDPoP, dpop: unsigned }), 'unsigned').toBe(401)
  const asSession = { 'X-Parse-Application-Id': server.appId, 'X-Parse-Session-Token': token }
  expect(await refused(asSession), 'as a session').toBeGreaterThanOrEqual(400)
  const socket = await openLiveSocket(server)
  expect((await socket.subscribe(1, { className: 'Score' }, { sessionToken: token })).op).toBe('error')
  socket.close()
})

test('at the endpoint of agents the same holds', async () => {
  const sue = await server.signUp('sue')
  const client = await createClient({ redirectUris: ['https://app.example/callback'] })
  const config = await discover(client)
  const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair())
  const url = new URL(`${server.context.publicUrl}/mcp`)
  const { address, verifier, state, nonce } = await prepare(config, client, {
    scope: 'openid Score:read',
    resource: url.href,
  })
  const back = await consent(createBrowser(), address, sue)
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce }
  const { access_token: token } = await openid.authorizationCodeGrant(config, back, checks, undefined, { DPoP })
  // 405: the proof is for GET, which the endpoint does not have; it was accepted before.
  const { status, proof } = await callWithProof(DPoP, config, token, url)
  expect(status).toBe(405)
  for (const headers of [
    { authorization: `DPoP ${token}`, dpop: proof },
    { authorization: `DPoP ${token}` },
    { authorization: `Bearer ${token}` },
  ] as Record<string, string>[])
    expect((await fetch(url, { headers })).status, Object.keys(headers).join()).toBe(401)
})
