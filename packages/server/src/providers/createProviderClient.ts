import type { Configuration } from 'openid-client'
import type { ReadyProvider } from '../config/providerSettings.ts'
import { createConnection, loadClient, loadJose } from './createConnection.ts'
import type { Settings } from './knownProviders.ts'
import { type Claims, type ProviderProfile, readClaims } from './readProfile.ts'

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

/** Signatures by a key pair alone: with a shared secret, or with none, anyone could write an ID token. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

const tenantId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The client of a provider by its settings. Throws a sentence about settings that do not fit. Connects to nothing yet. */
export function createProviderClient(settings: Settings, production: boolean): ProviderClient {
  const { kind, clientId } = settings
  const { facts, issuer, endpoints, limited, hasSecret, connect } = createConnection(settings, production)
  const scopes = settings.scopes ?? facts.scopes
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
        throw new Error('This provider has no ID tokens, and an access token could come from another app.')
      const [jose, config] = await Promise.all([loadJose(), connect()])
      const { jwks_uri: uri, issuer: declared } = config.serverMetadata()
      if (uri === undefined) throw new Error('The provider publishes no keys.')
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
      if (!issuersOf(declared, payload).includes(String(iss))) throw new Error('The ID token is from another issuer.')
      // A token for several apps names the one that received it.
      const parties = [clientId, ...settings.clientIds]
      const isOurs =
        azp === undefined ? !Array.isArray(aud) || aud.length === 1 : isAmong(parties, azp) || kind === 'google'
      if (!isOurs) throw new Error('The ID token was issued for another app.')
      if (nonce !== undefined && payload.nonce !== nonce) throw new Error('The ID token has another nonce.')
      return readClaims(payload)
    },
  }
}

async function readResource(config: Configuration, token: string, address: string): Promise<unknown> {
  const client = await loadClient()
  const response = await client.fetchProtectedResource(config, token, new URL(address), 'GET')
  if (response.status !== 200) throw new Error(`${new URL(address).host} responded with ${response.status}.`)
  return response.json()
}

async function refuseAlgorithm(token: string): Promise<void> {
  const { alg } = (await loadJose()).decodeProtectedHeader(token)
  if (!isAmong(algorithms, alg)) throw new Error('The ID token is signed with an algorithm that is not accepted.')
}

/** Google writes its name in two ways; Microsoft's has the tenant of the person in it. */
function issuersOf(declared: string, { tid }: Claims): string[] {
  if (declared === 'https://accounts.google.com') return [declared, 'accounts.google.com']
  if (!declared.includes('{tenantid}')) return [declared]
  return typeof tid === 'string' && tenantId.test(tid) ? [declared.replace('{tenantid}', tid)] : []
}

function readNothing(): never {
  throw new Error('The provider has no profile.')
}

const isAmong = (list: readonly string[], value: unknown) => list.some((each) => each === value)
