import type { ClientAuth, Configuration, CustomFetch, ServerMetadata } from 'openid-client'
import { checkHost, createLimitedFetch, type LimitedFetch } from '../network/limitedFetch.ts'
import { knownProviders, type Settings } from './knownProviders.ts'

/** Milliseconds that a discovery document is used, and that a failure is not repeated. */
const lasting = 3_600_000

const sulking = 5_000

/** Loaded at first use: most servers have no provider. */
export const loadClient = () => import('openid-client')

export const loadJose = () => import('jose')

/** Connection to a provider: its allowed hosts, and its configuration once known. */
export function createConnection(settings: Settings, production: boolean) {
  const { kind, clientId } = settings
  const facts = knownProviders[kind]
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
  if (endpoints && !hasSecret) throw new Error('clientSecret is required.')
  let found: { config: Promise<Configuration>; until: number } | undefined

  return { facts, issuer, endpoints, limited, hasSecret, connect }

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
}

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
