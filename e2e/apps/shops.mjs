// Products of others that sign people in by OpenID Connect: one with oauth4webapi, one with express-openid-connect.
import { createServer } from 'node:http'
import express from 'express'
import openid from 'express-openid-connect'
import * as oauth from 'oauth4webapi'

/**
 * @typedef {{ url: string, clientId: string, secret: string }} Shop
 * @typedef {{ issuer: string, web: Shop, express: Shop }} Shops
 */

const scope = 'openid profile wallets'

const escapeText = (/** @type {unknown} */ text) =>
  String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const page = (/** @type {any} */ claims) =>
  `<h1>Welcome, ${escapeText(claims.preferred_username)}</h1><p>${escapeText(claims.wallets?.[0]?.account)}</p>
<code>${escapeText(JSON.stringify({ acr: claims.acr, amr: claims.amr }))}</code>`

/** Signs in with the checks that the library leaves to its user: state, nonce, issuer, PKCE. */
function startWithOauth4webapi(/** @type {string} */ issuer, /** @type {Shop} */ { url, clientId, secret }) {
  /** @type {Map<string, { verifier: string, nonce: string }>} */
  const pending = new Map()
  const insecure = { [oauth.allowInsecureRequests]: true }
  const client = { client_id: clientId }
  const redirectUri = `${url}/callback`
  const server = createServer(async (request, response) => {
    try {
      const asked = new URL(request.url ?? '/', url)
      const found = await oauth.discoveryRequest(new URL(issuer), insecure)
      const as = await oauth.processDiscoveryResponse(new URL(issuer), found)
      if (asked.pathname !== '/callback') {
        const [verifier, state, nonce] = [
          oauth.generateRandomCodeVerifier(),
          oauth.generateRandomState(),
          oauth.generateRandomNonce(),
        ]
        pending.set(state, { verifier, nonce })
        const address = new URL(as.authorization_endpoint ?? '')
        address.search = new URLSearchParams({
          client_id: clientId,
          redirect_uri: redirectUri,
          response_type: 'code',
          scope,
          state,
          nonce,
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }).toString()
        response.writeHead(302, { location: address.href }).end()
        return
      }
      const state = asked.searchParams.get('state') ?? ''
      const kept = pending.get(state)
      pending.delete(state)
      const params = oauth.validateAuthResponse(as, client, asked, kept ? state : oauth.expectNoState)
      const auth = oauth.ClientSecretBasic(secret)
      const granted = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        auth,
        params,
        redirectUri,
        kept?.verifier ?? '',
        insecure,
      )
      const result = await oauth.processAuthorizationCodeResponse(as, client, granted, {
        expectedNonce: kept?.nonce ?? '',
        requireIdToken: true,
      })
      const claims = oauth.getValidatedIdTokenClaims(result)
      const info = await oauth.userInfoRequest(as, client, result.access_token, insecure)
      const user = await oauth.processUserInfoResponse(as, client, claims?.sub ?? '', info)
      response.setHeader('Content-Type', 'text/html')
      response.end(page({ ...claims, ...user }))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  return new Promise((resolve) => server.listen(Number(new URL(url).port), 'localhost', () => resolve(undefined)))
}

function createNoticeStore() {
  const kept = new Map()
  return {
    get: (/** @type {string} */ id, /** @type {(error: null, found: unknown) => void} */ done) =>
      done(null, kept.get(id)),
    set(/** @type {string} */ id, /** @type {unknown} */ notice, /** @type {(error: null) => void} */ done) {
      kept.set(id, notice)
      done(null)
    },
    destroy(/** @type {string} */ id, /** @type {(error: null) => void} */ done) {
      kept.delete(id)
      done(null)
    },
  }
}

function startWithExpress(/** @type {string} */ issuer, /** @type {Shop} */ { url, clientId, secret }) {
  const app = express()
  app.use(
    openid.auth({
      issuerBaseURL: issuer,
      baseURL: url,
      clientID: clientId,
      clientSecret: secret,
      clientAuthMethod: 'client_secret_basic',
      secret: 'a long secret of a test that signs cookies',
      authorizationParams: { response_type: 'code', response_mode: 'query', scope },
      idpLogout: true,
      // Notices of sign-outs, as the library keeps them with a store of sessions.
      backchannelLogout: { store: createNoticeStore() },
    }),
  )
  app.get('/', (request, response) => {
    response.send(page(request.oidc.user))
  })
  return new Promise((resolve) => app.listen(Number(new URL(url).port), 'localhost', () => resolve(undefined)))
}

process.on('message', async (/** @type {Shops} */ { issuer, web, express: other }) => {
  await Promise.all([startWithOauth4webapi(issuer, web), startWithExpress(issuer, other)])
  process.send?.('ready')
})
process.on('disconnect', () => process.exit())
