import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** Token issued for a code; tests change it to simulate a broken or hostile provider. */
export type IssuedToken = {
  claims?: JWTPayload
  /** Written in place of the signed token; nothing for none, as OAuth 2 has it. */
  raw?: string
  header?: { alg: string; kid?: string }
  key?: CryptoKey | Uint8Array
}

export type Issuer = {
  url: string
  clientId: string
  clientSecret: string
  /** Token for the next code. */
  next: IssuedToken
  /** Overrides of the discovery document. */
  discovery: { [name: string]: unknown }
  /** Responses of other paths, such as the profile of OAuth 2. */
  resources: { [path: string]: unknown }
  /** Token requests that came in. */
  asked: URLSearchParams[]
  paths: string[]
  publicKey: CryptoKey
  privateKey: CryptoKey
  /** Gives a code as if the person had signed in, for the authorization request with this address. */
  approve(authorizationUrl: string): { code: string; state: string }
  sign(claims: JWTPayload, options?: IssuedToken): Promise<string>
  stop(): Promise<void>
}

/** An OpenID Connect provider whose every response a test can change. The certified one is in the browser tests. */
export async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, { nonce: string | null; challenge: string | null; redirectUri: string | null }>()
  const clientId = 'client-1'
  const clientSecret = 'secret-1'
  let count = 0

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', issuer.url)
    issuer.paths.push(pathname)
    if (pathname === '/.well-known/openid-configuration') return answer(response, 200, describe())
    if (pathname === '/jwks') return answer(response, 200, { keys: [jwk] })
    if (Object.hasOwn(issuer.resources, pathname)) return answer(response, 200, issuer.resources[pathname])
    if (pathname !== '/token') return answer(response, 404, {})
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = new URLSearchParams(Buffer.concat(parts).toString())
    issuer.asked.push(body)
    const given = codes.get(body.get('code') ?? '')
    codes.delete(body.get('code') ?? '')
    const verifier = body.get('code_verifier') ?? ''
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(verifier))).toString('base64url')
    const isRight =
      given?.challenge === hash &&
      given.redirectUri === body.get('redirect_uri') &&
      body.get('client_secret') === clientSecret
    if (!given || !isRight) return answer(response, 400, { error: 'invalid_grant' })
    const token = await issuer.sign({ nonce: given.nonce ?? undefined, ...issuer.next.claims }, issuer.next)
    answer(response, 200, { access_token: 'access', token_type: 'Bearer', ...(token !== '' && { id_token: token }) })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const issuer: Issuer = {
    url,
    clientId,
    clientSecret,
    next: {},
    discovery: {},
    resources: {},
    asked: [],
    paths: [],
    publicKey,
    privateKey,
    approve(authorizationUrl) {
      const { searchParams } = new URL(authorizationUrl)
      const code = `code-${++count}`
      codes.set(code, {
        nonce: searchParams.get('nonce'),
        challenge: searchParams.get('code_challenge'),
        redirectUri: searchParams.get('redirect_uri'),
      })
      return { code, state: String(searchParams.get('state')) }
    },
    async sign(claims, { raw, header = { alg: 'RS256', kid: 'key-1' }, key = privateKey } = {}) {
      if (raw !== undefined) return raw
      const now = Math.floor(Date.now() / 1000)
      return new SignJWT({ iss: url, aud: clientId, sub: 'person-1', iat: now, exp: now + 300, ...claims })
        .setProtectedHeader(header)
        .sign(key)
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return issuer

  function describe(): object {
    return {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      ...issuer.discovery,
    }
  }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
