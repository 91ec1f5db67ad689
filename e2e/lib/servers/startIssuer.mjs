import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'
import { findFreePort } from '../../../scripts/steps/programs/findFreePort.mjs'
import { startServer } from './startServer.mjs'

/**
 * A server with a real provider of OpenID Connect beside it, on another site: people sign in there by a form with any
 * password, and their address is their name.
 *
 * @returns {Promise<import('./startServer.mjs').Server & { issuerUrl: string }>}
 */
export async function startIssuer() {
  const issuerUrl = `http://127.0.0.1:${await findFreePort()}`
  /** @type {import('node:http').RequestListener} */
  let listener = (_request, response) => response.writeHead(503).end()
  const http = createServer((request, response) => listener(request, response))
  await new Promise((resolve) => http.listen(Number(new URL(issuerUrl).port), '127.0.0.1', () => resolve(undefined)))
  const client = { clientId: 'countersign', clientSecret: 'a secret of thirty-two letters or so' }
  const server = await startServer({
    auth: { acme: { type: 'oidc', issuer: issuerUrl, ...client, label: 'Acme', trustEmail: true } },
  })
  const provider = new Provider(issuerUrl, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: [`${server.url}/server/auth/providers/acme/callback`],
      },
    ],
    cookies: { keys: ['for tests'] },
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username'] },
    findAccount: (/** @type {unknown} */ _context, /** @type {string} */ id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id.replace(/^unverified-/, '')}@example.org`,
        email_verified: !id.startsWith('unverified-'),
        preferred_username: id,
      }),
    }),
  })
  listener = provider.callback()
  const stop = async () => {
    await server.stop()
    http.closeAllConnections()
    http.close()
  }
  return { ...server, issuerUrl, stop }
}
