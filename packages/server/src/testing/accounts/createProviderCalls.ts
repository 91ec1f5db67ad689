import { randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { type Answer, createTestServer, type TestServer } from '../createTestServer.ts'
import { type Issuer, startIssuer } from '../startIssuer.ts'

export const app = 'https://app.example.com'

/** A server that sends people to two issuers, and the issuers. */
export async function startProviders() {
  const [issuer, other] = await Promise.all([startIssuer(), startIssuer()])
  const { clientId, clientSecret } = issuer
  const oauth2 = {
    clientId,
    clientSecret,
    authorizationUrl: `${issuer.url}/authorize`,
    tokenUrl: `${issuer.url}/token`,
    profileUrl: `${issuer.url}/user`,
  }
  const server = await createTestServer({
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
  return { issuer, other, server }
}

export function resetIssuers(...issuers: Issuer[]): void {
  for (const each of issuers) Object.assign(each, { next: {}, discovery: {}, asked: [] })
}

/** A browser: what it holds, and the page that is open in it. */
export type Browser = { [header: string]: string }
export const newBrowser = (): Browser => ({ 'X-Parse-Installation-Id': randomUUID() })
export const headersOf = (browser: Browser, token?: string) => ({ headers: browser, ...(token && { token }) })
export const refusal = ({ status, body }: Answer) => [status, body.reason]
export const newPerson = () => `person-${randomUUID()}`

/** A browser on its way to a provider and back. */
export function createProviderCalls(serverOf: () => TestServer, issuerOf: () => Issuer) {
  const reasonsOfLibrary = () =>
    serverOf()
      .logs.filter((line) => line.includes('by a provider was refused'))
      .join('\n')

  async function begin(provider: string, browser: Browser, input: object = {}, token?: string): Promise<Answer> {
    return serverOf().call('POST', `/auth/providers/${provider}/challenge`, input, headersOf(browser, token))
  }

  /** The whole way: to the provider, back to the callback, and what the page then sends to the API. */
  async function goThere(
    provider: string,
    browser: Browser,
    claims: JWTPayload,
    { input = {}, token, from = issuerOf() }: { input?: object; token?: string; from?: Issuer } = {},
  ): Promise<{ state: string; code: string; iss?: string }> {
    const begun = await begin(provider, browser, input, token)
    if (begun.status !== 200) throw new Error(begun.text)
    from.next = { ...from.next, claims: { ...from.next.claims, ...claims } }
    const { code, state } = from.approve(String(begun.body.url))
    const back = await comeBack(provider, { code, state })
    const fragment = new URLSearchParams(new URL(String(back.headers.get('location'))).hash.slice(1))
    if (fragment.get('signInWith') !== provider) throw new Error(`Sent back to ${back.headers.get('location')}`)
    return { state: String(fragment.get('state')), code: String(fragment.get('code')) }
  }

  const comeBack = (provider: string, query: { [name: string]: string }) =>
    fetch(`${serverOf().serverUrl}/auth/providers/${provider}/callback?${new URLSearchParams(query)}`, {
      redirect: 'manual',
    })

  const finish = (response: object, browser: Browser) =>
    serverOf().call('POST', '/auth/signInWithProvider', response, headersOf(browser))

  async function signIn(provider: string, claims: JWTPayload, browser = newBrowser()): Promise<Answer> {
    return finish(await goThere(provider, browser, claims), browser)
  }

  return { signIn, goThere, begin, finish, comeBack, reasonsOfLibrary }
}
