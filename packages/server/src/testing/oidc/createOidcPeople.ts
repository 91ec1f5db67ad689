import * as openid from 'openid-client'
import type { TestServer } from '../createTestServer.ts'
import { createBrowser, type TestBrowser } from './createBrowser.ts'

type Person = { objectId: string; token: string }
export type TestClient = { clientId: string; secret?: string | undefined; redirectUri: string }
type ClientInput = { redirectUris: string[]; kind?: 'web' | 'public' } & Record<string, unknown>

/** Clients of the provider, and people who sign in with them. */
export function createOidcPeople(serverOf: () => TestServer) {
  async function createClient(given: ClientInput): Promise<TestClient> {
    const input = { name: 'Acme Shop', kind: 'web', ...given }
    const { status, body, text } = await serverOf().call('POST', '/console/oidcClients', input, { master: true })
    if (status !== 201) throw new Error(text)
    const { clientId, secret } = body as { clientId: string; secret?: string }
    return { clientId, secret, redirectUri: given.redirectUris[0] ?? '' }
  }

  async function discover({ clientId, secret }: TestClient): Promise<openid.Configuration> {
    const issuer = new URL(`${serverOf().context.publicUrl}/oidc`)
    const auth = secret === undefined ? openid.None() : openid.ClientSecretBasic(secret)
    return openid.discovery(issuer, clientId, undefined, auth, { execute: [openid.allowInsecureRequests] })
  }

  /** A request of an application, opened in a browser: leads to our screen, or back to the application. */
  async function open(browser: TestBrowser, address: URL) {
    const location = await browser.follow(address.href)
    const uid = /\/authorize\/([\w-]+)$/.exec(location)?.[1]
    return { location, uid }
  }

  const ask = (browser: TestBrowser, uid: string, person?: Person) =>
    browser.api('GET', `/oidc/requests/${uid}`, undefined, person?.token)

  const answer = (browser: TestBrowser, uid: string, person: Person | undefined, input: object = { allow: true }) =>
    browser.api('POST', `/oidc/requests/${uid}`, input, person?.token)

  /** Goes through the screen until the application is reached. */
  async function consent(browser: TestBrowser, address: URL, person: Person, input?: object): Promise<URL> {
    let { location, uid } = await open(browser, address)
    for (let steps = 0; uid !== undefined && steps < 3; steps++) {
      const { status, body, text } = await answer(browser, uid, person, input)
      if (status !== 200) throw new Error(text)
      const next = await open(browser, new URL(String(body.location)))
      location = next.location
      uid = next.uid
    }
    return new URL(location)
  }

  async function prepare(config: openid.Configuration, client: TestClient, parameters: Record<string, string>) {
    const verifier = openid.randomPKCECodeVerifier()
    const state = openid.randomState()
    const nonce = openid.randomNonce()
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: client.redirectUri,
      scope: 'openid',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...parameters,
    })
    return { address, verifier, state, nonce }
  }

  async function signIn(
    client: TestClient,
    person: Person,
    parameters: Record<string, string> = {},
    { browser = createBrowser(serverOf()), answer: input }: { browser?: TestBrowser; answer?: object } = {},
  ) {
    const config = await discover(client)
    const { address, verifier, state, nonce } = await prepare(config, client, parameters)
    const back = await consent(browser, address, person, input)
    const tokens = await openid.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
    })
    return { config, tokens, browser, back, verifier }
  }

  return {
    createClient,
    discover,
    prepare,
    open,
    ask,
    answer,
    consent,
    signIn,
    createBrowser: () => createBrowser(serverOf()),
  }
}
