import type { ClientAuth, Configuration, CustomFetch, ServerMetadata } from 'openid-client'
import type { ProviderSettings, ReadyProvider } from '../config/providerSettings.ts'
import { checkHost, createLimitedFetch, type LimitedFetch } from '../network/limitedFetch.ts'

/** Profile of a person at a provider. `email` may be unverified. */
export type ProviderProfile = {
  id: string
  /** Label of the account: an address or a name. */
  label?: string
  email?: string
  /** The provider says that the person reads this mailbox. */
  emailVerified: boolean
  /** Time of the person's last sign-in at the provider, in seconds, if reported. */
  authTime?: number
}

export type AuthorizationRequest = { redirectUri: string; state: string; nonce: string; verifier: string }

/** A provider of OpenID Connect or OAuth 2, as the server asks it. */
export type ProviderClient = {
  kind: 'oidc' | ReadyProvider
  label: string
  /** An address that it calls verified is taken for verified. */
  trustsEmail: boolean
  /** False without a secret: then only ID tokens of native apps work. */
  hasBrowserFlow: boolean
  /** True if it reports the time of a requested new sign-in (`max_age`, OpenID Connect Core 3.1.2.1). */
  tellsAuthTime: boolean
  /** Creates the URL for the browser. `isFresh`: the person must sign in again. */
  createUrl(request: AuthorizationRequest & { isFresh: boolean }): Promise<string>
  /** Verifies the provider's response. Throws the library's error if anything differs from the request. */
  exchange(request: AuthorizationRequest & { response: URLSearchParams }): Promise<ProviderProfile>
  /** Verifies an ID token issued to a native app for one of our client ids. */
  verifyIdToken(token: string, given: { nonce?: string; maxAge: number }): Promise<ProviderProfile>
}

type Settings = ProviderSettings & { kind: 'oidc' | ReadyProvider }
type Claims = { readonly [name: string]: unknown }

type Facts = {
  label: string
  scopes: string[]
  trustsEmail: boolean
  /** OpenID Connect: found by discovery. */
  issuer?: (settings: Settings) => string
  /** Hosts that its discovery document names besides the issuer's. */
  hosts?: string[]
  /** OAuth 2: an access token, and a profile that is read with it. */
  endpoints?: { issuer: string; authorizationUrl: string; tokenUrl: string; profileUrl: string; emailsUrl?: string }
  readProfile?: (profile: Claims, emails: unknown) => ProviderProfile
  tokenAuth?: 'post' | 'basic'
  /** Parameters of the authorization request. */
  parameters?: { [name: string]: string }
  /** Parameters that have the person prove themselves again. */
  fresh?: { [name: string]: string }
}

/** From the public documentation of each. */
const known: { [Kind in 'oidc' | ReadyProvider]: Facts } = {
  oidc: {
    label: 'OpenID Connect',
    scopes: ['openid', 'email', 'profile'],
    trustsEmail: false,
    issuer: ({ issuer }) => String(issuer),
    fresh: { prompt: 'login', max_age: '0' },
  },
  google: {
    label: 'Google',
    scopes: ['openid', 'email', 'profile'],
    trustsEmail: true,
    issuer: () => 'https://accounts.google.com',
    hosts: ['oauth2.googleapis.com', 'www.googleapis.com', 'openidconnect.googleapis.com'],
    fresh: { prompt: 'select_account' },
  },
  apple: {
    label: 'Apple',
    scopes: ['openid', 'email', 'name'],
    trustsEmail: true,
    issuer: () => 'https://appleid.apple.com',
    // Apple responds with a form if an address or a name is requested.
    parameters: { response_mode: 'form_post' },
  },
  microsoft: {
    label: 'Microsoft',
    scopes: ['openid', 'email', 'profile'],
    // The administrator of any tenant can write any address into it.
    trustsEmail: false,
    issuer: ({ tenant = 'common' }) => `https://login.microsoftonline.com/${tenant}/v2.0`,
    hosts: ['graph.microsoft.com'],
    fresh: { prompt: 'login' },
  },
  gitlab: {
    label: 'GitLab',
    scopes: ['openid', 'email', 'profile'],
    trustsEmail: true,
    issuer: ({ issuer = 'https://gitlab.com' }) => issuer,
  },
  twitch: {
    label: 'Twitch',
    scopes: ['openid', 'user:read:email'],
    trustsEmail: true,
    issuer: () => 'https://id.twitch.tv/oauth2',
    parameters: { claims: '{"id_token":{"email":null,"email_verified":null,"preferred_username":null}}' },
    fresh: { force_verify: 'true' },
  },
  github: {
    label: 'GitHub',
    scopes: ['read:user', 'user:email'],
    trustsEmail: true,
    endpoints: {
      issuer: 'https://github.com/login/oauth',
      authorizationUrl: 'https://github.com/login/oauth/authorize',
      tokenUrl: 'https://github.com/login/oauth/access_token',
      profileUrl: 'https://api.github.com/user',
      emailsUrl: 'https://api.github.com/user/emails',
    },
    fresh: { prompt: 'select_account' },
    readProfile({ id, login }, emails) {
      // The address of the public profile is unverified; those of the account have a flag.
      const primary = (Array.isArray(emails) ? (emails as Claims[]) : []).find((each) => each?.primary === true)
      return profileOf(id, login, primary?.email, primary?.verified === true)
    },
  },
  discord: {
    label: 'Discord',
    scopes: ['identify', 'email'],
    trustsEmail: true,
    endpoints: {
      issuer: 'https://discord.com',
      authorizationUrl: 'https://discord.com/oauth2/authorize',
      tokenUrl: 'https://discord.com/api/oauth2/token',
      profileUrl: 'https://discord.com/api/users/@me',
    },
    fresh: { prompt: 'consent' },
    readProfile: ({ id, username, email, verified }) => profileOf(id, username, email, verified === true),
  },
  x: {
    label: 'X',
    scopes: ['users.read', 'tweet.read'],
    trustsEmail: false,
    tokenAuth: 'basic',
    endpoints: {
      issuer: 'https://x.com',
      authorizationUrl: 'https://x.com/i/oauth2/authorize',
      tokenUrl: 'https://api.x.com/2/oauth2/token',
      profileUrl: 'https://api.x.com/2/users/me',
    },
    readProfile({ data }) {
      const { id, username } = (data ?? {}) as Claims
      return profileOf(id, typeof username === 'string' ? `@${username}` : undefined, undefined, false)
    },
  },
}

/** Signatures by a key pair alone: with a shared secret, or with none, anyone could write an ID token. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** Milliseconds that a discovery document is used, and that a failure is not repeated. */
const lasting = 3_600_000
const sulking = 5_000

const tenantId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Loaded at first use: most servers have no provider. */
const loadClient = () => import('openid-client')
const loadJose = () => import('jose')

/** The client of a provider by its settings. Throws a sentence about settings that do not fit. Connects to nothing yet. */
export function createProviderClient(settings: Settings, production: boolean): ProviderClient {
  const { kind, clientId } = settings
  const facts = known[kind]
  const issuer = facts.issuer?.(settings)
  const endpoints = facts.endpoints && {
    ...facts.endpoints,
    ...dropUnset({
      authorizationUrl: settings.authorizationUrl,
      tokenUrl: settings.tokenUrl,
      profileUrl: settings.profileUrl,
      emailsUrl: settings.emailsUrl,
    }),
  }
  const named = [issuer, ...Object.values({ ...endpoints, issuer: undefined })].filter((each) => each !== undefined)
  const allowsHttp = !production
  for (const address of named)
    if (new URL(address).protocol !== 'https:' && !allowsHttp) throw new Error(`${address} must be https.`)
  const hosts = new Set([...named.map((each) => new URL(each).host), ...(facts.hosts ?? []), ...settings.hosts])
  const limited = createLimitedFetch(hosts, allowsHttp)
  const isHttp = named.some((each) => each.startsWith('http:'))
  const applesKey = kind === 'apple' && settings.privateKey && settings.keyId && settings.teamId
  const hasSecret = settings.clientSecret !== undefined || Boolean(applesKey)
  if (endpoints && !hasSecret) throw new Error('clientSecret is needed.')
  const scopes = settings.scopes ?? facts.scopes
  let found: { config: Promise<Configuration>; until: number } | undefined
  let keySet: { uri: string; keys: ReturnType<typeof import('jose').createRemoteJWKSet> } | undefined

  return {
    kind,
    label: settings.label ?? facts.label,
    trustsEmail: settings.trustEmail ?? facts.trustsEmail,
    hasBrowserFlow: hasSecret || kind === 'oidc',
    tellsAuthTime: facts.fresh?.max_age !== undefined,

    async createUrl({ redirectUri, state, nonce, verifier, isFresh }) {
      const [client, config] = await Promise.all([loadClient(), connect()])
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(issuer !== undefined && { nonce }),
        ...facts.parameters,
        ...(isFresh && facts.fresh),
      })
      return url.href
    },

    async exchange({ redirectUri, state, nonce, verifier, response }) {
      const [client, config] = await Promise.all([loadClient(), connect()])
      const url = new URL(redirectUri)
      url.search = response.toString()
      const checks = { pkceCodeVerifier: verifier, expectedState: state }
      if (issuer === undefined) {
        const { access_token } = await client.authorizationCodeGrant(config, url, checks)
        const profile = await readResource(config, access_token, String(endpoints?.profileUrl))
        const emails = endpoints?.emailsUrl && (await readResource(config, access_token, endpoints.emailsUrl))
        return (facts.readProfile ?? readNothing)(profile as Claims, emails)
      }
      const tokens = await client.authorizationCodeGrant(config, url, {
        ...checks,
        expectedNonce: nonce,
        idTokenExpected: true,
      })
      const claims = tokens.claims() as Claims & { sub: string }
      await refuseAlgorithm(String(tokens.id_token))
      const profile = readClaims(claims)
      const asksFurther = profile.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
      if (!asksFurther) return profile
      // The library holds it to the subject of the ID token.
      const further = await client.fetchUserInfo(config, tokens.access_token, claims.sub).catch(() => ({}))
      return readClaims({ ...further, ...claims })
    },

    async verifyIdToken(token, { nonce, maxAge }) {
      if (issuer === undefined)
        throw new Error('This provider has no ID tokens. An access token could be that of another app.')
      const [jose, config] = await Promise.all([loadJose(), connect()])
      const { jwks_uri: uri, issuer: declared } = config.serverMetadata()
      if (uri === undefined) throw new Error('The provider names no keys.')
      if (keySet?.uri !== uri)
        keySet = { uri, keys: jose.createRemoteJWKSet(new URL(uri), { [jose.customFetch]: limited }) }
      const { payload } = await jose.jwtVerify(token, keySet.keys, {
        algorithms,
        audience: [clientId, ...settings.clientIds],
        requiredClaims: ['iss', 'sub', 'exp', 'iat'],
        maxTokenAge: maxAge,
        clockTolerance: 30,
      })
      const { iss, aud, azp } = payload
      if (!issuersOf(declared, payload).includes(String(iss))) throw new Error('The ID token is of another issuer.')
      // A token for several apps names the one that received it.
      const parties = [clientId, ...settings.clientIds]
      const isOurs =
        azp === undefined ? !Array.isArray(aud) || aud.length === 1 : isAmong(parties, azp) || kind === 'google'
      if (!isOurs) throw new Error('The ID token was made for another app.')
      if (nonce !== undefined && payload.nonce !== nonce) throw new Error('The ID token has another nonce.')
      return readClaims(payload)
    },
  }

  function connect(): Promise<Configuration> {
    const now = Date.now()
    if (found && found.until > now) return found.config
    const config = issuer === undefined ? build() : discover(issuer)
    const next = { config, until: now + lasting }
    found = next
    config.catch(() => {
      next.until = Date.now() + sulking
    })
    return config
  }

  async function discover(address: string): Promise<Configuration> {
    const client = await loadClient()
    const options = {
      [client.customFetch]: ours(),
      timeout: 10,
      ...(isHttp && { execute: [client.allowInsecureRequests] }),
    }
    const config = await client.discovery(new URL(address), clientId, metadata(), await authenticate(), options)
    const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = config.serverMetadata()
    for (const each of [authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint])
      if (each !== undefined) checkHost(hosts, allowsHttp, each)
    // The library trusts the connection to the token endpoint unless it is asked to verify the signature too.
    client.enableNonRepudiationChecks(config)
    return config
  }

  async function build(): Promise<Configuration> {
    const client = await loadClient()
    const server: ServerMetadata = {
      issuer: String(endpoints?.issuer),
      authorization_endpoint: String(endpoints?.authorizationUrl),
      token_endpoint: String(endpoints?.tokenUrl),
    }
    const config = new client.Configuration(server, clientId, metadata(), await authenticate())
    config[client.customFetch] = ours()
    config.timeout = 10
    if (isHttp) client.allowInsecureRequests(config)
    return config
  }

  function metadata() {
    return settings.clientSecret === undefined ? {} : { client_secret: settings.clientSecret }
  }

  async function authenticate(): Promise<ClientAuth> {
    const client = await loadClient()
    if (applesKey && settings.clientSecret === undefined) return signApplesSecret(settings)
    const { clientSecret, tokenAuth = facts.tokenAuth ?? 'post' } = settings
    if (clientSecret === undefined) return client.None()
    return tokenAuth === 'basic' ? client.ClientSecretBasic(clientSecret) : client.ClientSecretPost(clientSecret)
  }

  function ours(): CustomFetch {
    const fetch = kind === 'twitch' ? joinScopes(limited) : limited
    return fetch as unknown as CustomFetch
  }

  async function readResource(config: Configuration, token: string, address: string): Promise<unknown> {
    const client = await loadClient()
    const response = await client.fetchProtectedResource(config, token, new URL(address), 'GET')
    if (response.status !== 200) throw new Error(`${new URL(address).host} answered ${response.status}.`)
    return response.json()
  }
}

async function refuseAlgorithm(token: string): Promise<void> {
  const { alg } = (await loadJose()).decodeProtectedHeader(token)
  if (!isAmong(algorithms, alg)) throw new Error('The ID token is signed in a way that is not accepted.')
}

/** Google writes its name in two ways; Microsoft's has the tenant of the person in it. */
function issuersOf(declared: string, { tid }: Claims): string[] {
  if (declared === 'https://accounts.google.com') return [declared, 'accounts.google.com']
  if (!declared.includes('{tenantid}')) return [declared]
  return typeof tid === 'string' && tenantId.test(tid) ? [declared.replace('{tenantid}', tid)] : []
}

function readClaims({ sub, email, email_verified, preferred_username, name, auth_time }: Claims): ProviderProfile {
  // Apple writes it as a text.
  const isVerified = email_verified === true || email_verified === 'true'
  const profile = profileOf(sub, preferred_username ?? name, email, isVerified)
  return { ...profile, ...(typeof auth_time === 'number' && { authTime: auth_time }) }
}

const longestId = 500
const longestText = 320

/** Reads a provider's data. It is untrusted, so each value has a type and a limit. */
function profileOf(id: unknown, name: unknown, email: unknown, isVerified: boolean): ProviderProfile {
  const key = typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : id
  if (typeof key !== 'string' || key === '' || key.length > longestId || /\p{Cc}/u.test(key))
    throw new Error('The provider does not say who it is.')
  const address = readText(email)
  const label = address ?? readText(name)
  return {
    id: key,
    ...(label !== undefined && { label }),
    ...(address !== undefined && { email: address }),
    emailVerified: address !== undefined && isVerified,
  }
}

function readText(value: unknown): string | undefined {
  const isUsable = typeof value === 'string' && value !== '' && value.length <= longestText && !/\p{C}/u.test(value)
  return isUsable ? value : undefined
}

function readNothing(): never {
  throw new Error('The provider has no profile.')
}

const isAmong = (list: readonly string[], value: unknown) => list.some((each) => each === value)

/** Apple takes a token that is signed with the developer's key as the secret. */
function signApplesSecret({ clientId, teamId, keyId, privateKey }: Settings): ClientAuth {
  return async (_server, _client, body) => {
    const { SignJWT, importPKCS8 } = await loadJose()
    const key = await importPKCS8(String(privateKey).replace(/\\n/g, '\n'), 'ES256')
    const secret = await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: String(keyId) })
      .setIssuer(String(teamId))
      .setSubject(clientId)
      .setAudience('https://appleid.apple.com')
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(key)
    body.set('client_id', clientId)
    body.set('client_secret', secret)
  }
}

/** Twitch returns the scopes as a list, which the standard defines as one text. */
function joinScopes(fetch: LimitedFetch): LimitedFetch {
  return async (url, options) => {
    const response = await fetch(url, options)
    if (!url.endsWith('/token') || !response.ok) return response
    const answer = (await response.json()) as { scope?: unknown }
    const scope = Array.isArray(answer.scope) ? answer.scope.join(' ') : answer.scope
    const { status, headers } = response
    return new Response(JSON.stringify({ ...answer, ...(scope !== undefined && { scope }) }), { status, headers })
  }
}

function dropUnset<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
