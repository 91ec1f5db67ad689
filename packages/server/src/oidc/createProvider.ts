import { createHmac } from 'node:crypto'
import {
  type AccessToken,
  type Client,
  type Configuration,
  errors,
  type Grant,
  interactionPolicy,
  type JWK,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { cookieName, findCookie } from '../endpoint/cookies.ts'
import { hashToken } from '../keys/secrets.ts'
import { forgetSessions } from '../users/sessions/createSession.ts'
import { findSession } from '../users/sessions/findSession.ts'
import { newTokenText } from '../users/tokens/newTokenText.ts'
import { claimsByScope, isOpenAccount, readClaims } from './accountClaims.ts'

import { acrLevels, satisfies } from './assurance.ts'
import { isSecretOf } from './clients.ts'
import { createStore } from './createStore.ts'
import { createClientFetch, isMetadataHost } from './fetchFromClient.ts'
import { findGrant, grantAll, touchGrant } from './grants.ts'
import { deriveSecret, issuerOf } from './issuer.ts'
import { pages } from './pages.ts'
import { writeRequestCookie } from './requestCookie.ts'
import { describeResource, isOwnResource, listRequested, pairwiseSalt } from './resources.ts'

/** Facts about a client that only our database states. */
const ourMetadata = ['isTrusted', 'isRegistered'] as const

/** Routes under `/oidc`. */
const routes = {
  authorization: '/authorize',
  token: '/token',
  userinfo: '/userinfo',
  jwks: '/jwks',
  revocation: '/revoke',
  introspection: '/introspect',
  registration: '/register',
  pushed_authorization_request: '/par',
  end_session: '/logout',
  device_authorization: '/device/authorize',
  code_verification: '/device',
} as const

const day = 86_400

const extraClientMetadata: Configuration['extraClientMetadata'] = {
  properties: [...ourMetadata],
  // Never from the document of a client: it could make itself trusted, and people would not be asked.
  validator: (_ctx, key, _value, metadata) => {
    if (metadata.client_id?.startsWith('https://')) delete metadata[key]
  },
}

/** The certified provider of `oidc-provider`, with our accounts, storage and screens. */
export async function createProvider(context: Context, jwks: JWK[]): Promise<Provider> {
  const { config, webUrl } = context
  const { accessTokenLength, refreshTokenLength, dynamicRegistration, metadataHosts } = config.oidc
  const salt = await pairwiseSalt(context)
  const cookie = { httpOnly: true, sameSite: 'lax', secure: isHttps(context), overwrite: true } as const
  const configuration: Configuration = {
    adapter: createStore(context),
    jwks: { keys: jwks },
    routes,
    responseTypes: ['code'],
    subjectTypes: ['public', 'pairwise'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'], userinfoSigningAlgValues: ['RS256', 'ES256'] },
    scopes: ['openid', 'offline_access', 'profile', 'email', 'roles', 'wallets'],
    claims: Object.fromEntries(Object.entries(claimsByScope).map(([scope, names]) => [scope, [...names]])),
    // Many clients read names and addresses from the ID token alone.
    conformIdTokenClaims: false,
    extraClientMetadata,
    // Set by us, not by clients: see `askForConsent`.
    extraParams: ['countersign_offline'],
    pkce: { required: () => true },
    acrValues: [...acrLevels],
    cookies: {
      keys: [deriveSecret(context, 'cookies')],
      names: {
        session: 'countersign_oidc',
        interaction: 'countersign_oidc_request',
        resume: 'countersign_oidc_resume',
      },
      long: { ...cookie, path: '/oidc' },
      short: cookie,
    },
    ttl: {
      AccessToken: (_ctx, token) => token.resourceServer?.accessTokenTTL ?? accessTokenLength,
      AuthorizationCode: 60,
      DeviceCode: 600,
      // A connected app stays until its user or an operator ends it.
      Grant: 10 * 365 * day,
      IdToken: 3_600,
      Interaction: 900,
      RefreshToken: refreshTokenLength,
      Session: 14 * day,
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      // A public client could be anyone: it learns of its own tokens alone, and ends no other's.
      introspection: { enabled: true, allowedPolicy: async (_ctx, client, token) => mayJudge(client, token) },
      revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
      pushedAuthorizationRequests: { enabled: true },
      dPoP: { enabled: true },
      userinfo: { enabled: true },
      deviceFlow: { enabled: true, ...pages(context).device },
      rpInitiatedLogout: { enabled: true, ...pages(context).logout },
      registration: { enabled: dynamicRegistration },
      clientIdMetadataDocument: {
        enabled: metadataHosts.length > 0,
        ack: 'draft-02',
        allowFetch: async (_ctx: KoaContextWithOIDC, id: string) => isMetadataHost(context, id),
        cacheDuration: { min: 60, max: 3_600 },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: async (_ctx, _client, oneOf) => oneOf ?? [],
        getResourceServerInfo: async ({ oidc }, resource) => describeOnlyResource(context, oidc, resource),
        useGrantedResource: async () => true,
      },
    } as Configuration['features'],
    fetch: createClientFetch(context) as unknown as NonNullable<Configuration['fetch']>,
    renderError: pages(context).renderError,
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client, source) =>
      client.grantTypeAllowed('refresh_token') && source.scopes.has('offline_access'),
    pairwiseIdentifier: async (_ctx, accountId, client) =>
      createHmac('sha256', salt).update(`${client.sectorIdentifier} ${accountId}`).digest('base64url'),
    clientBasedCORS: (_ctx, origin, client) => isRedirectOrigin(client.redirectUris ?? [], origin),
    async findAccount(ctx, sub) {
      if (!(await isOpenAccount(context, sub))) return undefined
      const { grantId } = (ctx.oidc.entities.AccessToken ?? ctx.oidc.entities.RefreshToken ?? {}) as {
        grantId?: string
      }
      if (grantId) await touchGrant(context, grantId)
      return { accountId: sub, claims: (_use, scope) => readClaims(context, sub, scope) }
    },
    loadExistingGrant: (ctx) => loadGrant(context, ctx),
    interactions: {
      policy: createPolicy(context),
      async url(ctx, interaction) {
        ctx.res.appendHeader('Set-Cookie', writeRequestCookie(context, interaction.uid))
        return `${webUrl}/authorize/${interaction.uid}`
      },
    },
  }
  const provider = new Provider(issuerOf(context), configuration)
  provider.proxy = true
  // Signing out at the provider ends the session here, too, and the other way round.
  provider.use(async (ctx, next) => {
    await next().catch((error: unknown) => showDeviceForm(ctx as unknown as KoaContextWithOIDC, error))
    const { accountSession } = (ctx.oidc?.result ?? {}) as { accountSession?: string }
    if (accountSession !== undefined && ctx.oidc.session?.accountId !== undefined)
      await joinSessions(context, ctx.oidc.session.jti, accountSession)
    if (ctx.oidc?.route === 'end_session_confirm' && ctx.oidc.params?.logout)
      await endOwnSession(context, ctx.req.headers.cookie)
  })
  // Tokens of our own API have a prefix and a checksum, like every other token of it.
  const { generateTokenId } = provider.AccessToken.prototype as unknown as { generateTokenId(): string }
  Object.assign(provider.AccessToken.prototype, {
    generateTokenId(this: AccessToken) {
      const id = generateTokenId.call(this)
      return isOwnResource(context, this.aud) ? newTokenText('oauth') : id
    },
  })
  compareSecretsByHash(provider)
  logFailures(context, provider)
  return provider
}

/** The screen of the consent shows one resource. A token is for one, too. */
function describeOnlyResource(context: Context, oidc: KoaContextWithOIDC['oidc'], resource: string) {
  if (Array.isArray(oidc.params?.resource) && oidc.params.resource.length > 1)
    throw new errors.InvalidTarget('only one resource can be requested at a time')
  return describeResource(context, resource, listRequested(oidc))
}

/** The store has only the hash of a client's secret. */
function compareSecretsByHash(provider: Provider): void {
  Object.assign(provider.Client.prototype, {
    compareClientSecret(this: { clientSecret?: string }, given: string) {
      return isSecretOf(this, given)
    },
  })
}

const isRedirectOrigin = (uris: readonly string[], origin: string) =>
  uris.some((uri) => URL.canParse(uri) && new URL(uri).origin === origin)

/** The library cannot store the session of a form whose own session is gone. The person starts again. */
function showDeviceForm(ctx: KoaContextWithOIDC, error: unknown): void {
  const { route = '', session } = ctx.oidc ?? {}
  if (!['code_verification', 'device_resume'].includes(route) || typeof session?.exp === 'number') throw error
  ctx.redirect(ctx.oidc.urlFor('code_verification'))
}

function logFailures({ log }: Context, provider: Provider): void {
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'the OpenID provider failed'))
  provider.on('backchannel.error', (_ctx, error, client) =>
    log.warn({ err: error, client: client.clientId }, 'a client did not take the notice of a sign-out'),
  )
}

const mayJudge = (client: Client, token: { clientId?: string | undefined }) =>
  client.tokenEndpointAuthMethod !== 'none' || token.clientId === client.clientId

const isHttps = ({ publicUrl }: Context) => publicUrl.startsWith('https:')

/**
 * Requires the account's own session: after a sign-out, or a sign-in with another account, the person is asked again,
 * although the provider's session is still valid.
 */
function createPolicy(context: Context) {
  const policy = interactionPolicy.base()
  policy.get('login')?.checks.add(
    new interactionPolicy.Check('account_session', 'The account is not signed in.', 'login_required', async (ctx) => {
      const { accountId } = ctx.oidc.session ?? {}
      if (accountId === undefined || ctx.oidc.result?.login) return false
      return (await findCookieUser(context, ctx.req.headers.cookie)) !== accountId
    }),
  )
  policy.get('login')?.checks.add(
    new interactionPolicy.Check('acr_values', 'A stronger sign-in is requested.', 'login_required', async (ctx) => {
      const { params, session, result } = ctx.oidc
      return !result?.login && !satisfies(session?.acr, params?.acr_values)
    }),
  )
  return policy
}

/** Lets a session of the provider end with the account's session. One that has ended in the meantime takes it along. */
async function joinSessions({ db }: Context, jti: string, accountSession: string): Promise<void> {
  const ofId = sql`model = 'Session' and id = ${hashToken(jti)}`
  await db.transaction(async () => {
    const held = await db.query(sql`select from "_Session" where "objectId" = ${accountSession} for share`)
    await db.query(sql`update countersign.oidc_records set session = ${accountSession} where ${ofId}`)
    if (held.length === 0) await db.query(sql`delete from countersign.oidc_records where ${ofId}`)
  })
}

async function findCookieUser(context: Context, header: string | undefined): Promise<string | undefined> {
  const token = findCookie(header, cookieName(context))
  if (!token) return undefined
  try {
    return (await findSession(context, token)).userId
  } catch {
    return undefined
  }
}

async function endOwnSession(context: Context, header: string | undefined): Promise<void> {
  const token = findCookie(header, cookieName(context))
  if (!token) return
  const ended = await context.db.query<{ _token_hash: Buffer }>(
    sql`delete from "_Session" where "_token_hash" = ${hashToken(token)} returning "_token_hash"`,
  )
  context.db.reportChange('_Session')
  forgetSessions(context, ended)
}

/** The consent that the user gave this client, unless the client has changed since. Trusted clients need none. */
async function loadGrant(context: Context, ctx: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { client, session, result, provider } = ctx.oidc
  const accountId = session?.accountId
  if (!client || !accountId) return undefined
  const given = result?.consent?.grantId
  const grant = given === undefined ? undefined : await provider.Grant.find(given)
  // A grant counts for the account that gave it.
  if (grant?.accountId === accountId && grant.clientId === client.clientId) return grant
  const kept = await findGrant(context, provider, accountId, client)
  if (!client.isTrusted) return kept
  return grantAll(context, provider, { accountId, client, grant: kept, params: ctx.oidc })
}
