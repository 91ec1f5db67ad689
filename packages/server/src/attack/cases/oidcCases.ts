import { createHash, randomBytes } from 'node:crypto'
import { type AttackCase, casesOf } from '../AttackCase.ts'
import { guest, type Scene } from '../createScene.ts'
import type { Answer } from '../createTarget.ts'

const make = casesOf('delegation')

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** A request to the OpenID provider, which is beside the API. */
function ask(
  scene: Scene,
  method: string,
  path: string,
  fields?: Record<string, string>,
  headers = {},
): Promise<Answer> {
  const body = fields && String(new URLSearchParams(fields))
  return scene.call(guest, method, `/oidc${path}`, body, { isRooted: true, headers: { ...(body && form), ...headers } })
}

async function requireProvider(scene: Scene): Promise<Record<string, unknown>> {
  const { status, body } = await ask(scene, 'GET', '/.well-known/openid-configuration')
  return status === 200 ? body : scene.skip('the OpenID provider is off')
}

const callback = 'https://attack.invalid/callback'

/** A client of the attack. Only the master key creates one where self-registration is off. */
async function createClient(scene: Scene): Promise<{ id: string; secret: string }> {
  const { master = scene.skip('needs the master key to create a client') } = scene
  const input = { name: 'attack', kind: 'web', redirectUris: [callback] }
  const { body } = await scene.need(master, 'POST', '/console/oidcClients', input)
  const path = `/console/oidcClients/${body.clientId}`
  scene.undoes.push(() => scene.target.send({ as: master, method: 'DELETE', path }))
  return { id: String(body.clientId), secret: scene.addSecret('CLIENT SECRET', String(body.secret)) }
}

const basic = (id: string, secret: string) => ({
  Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

function authorize(scene: Scene, id: string, changes: Record<string, string | undefined> = {}): Promise<Answer> {
  const challenge = createHash('sha256').update(randomBytes(32).toString('base64url')).digest('base64url')
  const given: Record<string, string | undefined> = {
    client_id: id,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid',
    state: 'state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  }
  const params = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return ask(scene, 'GET', `/authorize?${new URLSearchParams(params)}`)
}

const locationOf = ({ headers }: Answer) => String(headers.location ?? '')

export const oidcCases: AttackCase[] = [
  make('the provider publishes no private key, and takes no name from a header', 'S32, SEC-71', async (scene) => {
    const config = await requireProvider(scene)
    for (const headers of [
      { Host: 'evil.example' },
      { 'X-Forwarded-Host': 'evil.example' },
      { Forwarded: 'host=evil.example' },
    ]) {
      const again = await ask(scene, 'GET', '/.well-known/openid-configuration', undefined, headers)
      scene.check(
        again.status >= 400 || again.body.issuer === config.issuer,
        again,
        'A header changes the addresses of the provider.',
        'leak',
      )
    }
    const keys = await ask(scene, 'GET', '/jwks')
    const fields = ((keys.body.keys ?? []) as object[]).flatMap(Object.keys)
    scene.check(
      fields.length > 0 && !fields.some((name) => ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].includes(name)),
      keys,
      'The provider publishes a private key.',
      'leak',
    )
  }),
  make('no authorization leads to another address, or works without PKCE', 'S32, RFC 9700', async (scene) => {
    await requireProvider(scene)
    const { id } = await createClient(scene)
    const foreign = [
      `${callback}/`,
      `${callback}?x=1`,
      `${callback}/../other`,
      'https://attack.invalid.evil.example/callback',
      'https://attack.invalid@evil.example/callback',
      'http://attack.invalid/callback',
      '//evil.example',
      'javascript:alert(1)',
      'data:text/html,x',
    ]
    for (const redirect_uri of foreign) {
      const answer = await authorize(scene, id, { redirect_uri })
      scene.check(answer.status >= 400, answer, `An authorization takes the address ${redirect_uri}.`)
      scene.check(
        !/<script|javascript:alert/i.test(answer.text),
        answer,
        'An error of the provider shows input as HTML.',
        'leak',
      )
    }
    const weak: Record<string, string | undefined>[] = [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge_method: 'plain' },
      { response_type: 'token' },
      { response_type: 'id_token', nonce: 'x' },
      { response_type: 'code id_token', nonce: 'x' },
      { request_uri: 'https://evil.example/request' },
      { request: 'eyJhbGciOiJub25lIn0.e30.' },
      { prompt: 'none' },
      { resource: 'https://evil.example' },
    ]
    for (const change of weak) {
      const answer = await authorize(scene, id, change)
      const isRefused = answer.status >= 400 || /[?#&]error=/.test(locationOf(answer))
      scene.check(isRefused, answer, `An authorization takes ${JSON.stringify(change).slice(0, 80)}.`)
      const host = answer.status < 400 ? new URL(locationOf(answer), scene.target.origin).host : ''
      scene.check(host !== 'evil.example', answer, 'An authorization leads to another host.')
    }
  }),
  make('guessed codes, tokens, devices and clients open nothing', 'P9, RFC 9700', async (scene) => {
    await requireProvider(scene)
    const { id, secret } = await createClient(scene)
    const own = basic(id, secret)
    const grants: Record<string, string>[] = [
      { grant_type: 'authorization_code', code: 'guessed', redirect_uri: callback, code_verifier: 'x'.repeat(43) },
      { grant_type: 'refresh_token', refresh_token: 'guessed' },
      { grant_type: 'refresh_token', refresh_token: '\u0000' },
      { grant_type: 'client_credentials', scope: 'openid' },
      { grant_type: 'password', username: 'victim', password: 'x' },
      { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'guessed' },
      { grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', subject_token: 'x' },
      { grant_type: '__proto__' },
      {},
    ]
    for (const fields of grants)
      scene.refused(await ask(scene, 'POST', '/token', fields, own), `The grant ${fields.grant_type} gives tokens.`)
    const strangers = [
      {},
      basic(id, 'wrong'),
      basic(id, ''),
      basic('nosuch', secret),
      basic('__proto__', 'x'),
      { Authorization: 'Basic %' },
    ]
    for (const headers of strangers)
      for (const path of ['/token', '/introspect', '/revoke', '/par'])
        scene.refused(
          await ask(scene, 'POST', path, { token: 'x', grant_type: 'refresh_token', refresh_token: 'x' }, headers),
          `${path} takes a client without its secret.`,
        )
    for (const token of ['guessed', scene.target.appId, '\u0000', 'cs_pat_x', 'x'.repeat(5_000)]) {
      const judged = await ask(scene, 'POST', '/introspect', { token }, own)
      scene.check(judged.body.active !== true, judged, 'A guessed token is active.')
      scene.refused(
        await ask(scene, 'GET', '/userinfo', undefined, { Authorization: `Bearer ${token.replace('\u0000', '')}` }),
        'A guessed token reads claims.',
      )
    }
    for (const uid of ['nosuch', '__proto__', '%00', 'x'.repeat(64)])
      for (const [method, body] of [
        ['GET', undefined],
        ['POST', { allow: true }],
      ] as const)
        scene.refused(
          await scene.call(guest, method, `/oidc/requests/${uid}`, body),
          'A request of an application can be guessed.',
        )
  }),
  make('a request belongs to the browser that the application redirected', 'S3, S32', async (scene, { stranger }) => {
    await requireProvider(scene)
    const { id } = await createClient(scene)
    const begun = await authorize(scene, id)
    const uid = /\/authorize\/([\w-]+)/.exec(locationOf(begun))?.[1]
    if (uid === undefined) return
    for (const as of [guest, stranger])
      for (const [method, body] of [
        ['GET', undefined],
        ['POST', { allow: true }],
        ['POST', { allow: false }],
      ] as const)
        scene.refused(
          await scene.call(as, method, `/oidc/requests/${uid}`, body),
          'Another browser answers the request of an application.',
        )
  }),
  make('malformed and large requests to the provider are refused', 'SEC-4, SEC-5', async (scene) => {
    await requireProvider(scene)
    const paths = [
      '/token',
      '/introspect',
      '/revoke',
      '/par',
      '/device/authorize',
      '/device',
      '/logout',
      '/authorize',
      '/register',
    ]
    const odd: Record<string, string>[] = [
      { client_id: '\u0000' },
      { client_id: '__proto__' },
      { client_id: 'x'.repeat(200_000) },
      { 'a[b][c]': '1' },
    ]
    for (const path of paths) {
      for (const fields of odd) await ask(scene, 'POST', path, fields)
      for (const body of ['{', '{"client_id":{"$ne":null}}', '%ff=%00', `${'['.repeat(2_000)}`])
        await scene.call(guest, 'POST', `/oidc${path}`, body, { isRooted: true })
    }
    for (const path of [
      '/%00',
      '/..%2f..%2fpackage.json',
      '/__proto__',
      `/${'x'.repeat(10_000)}`,
      '/authorize?a=%ff',
      '/device?user_code=%00',
      '/logout?id_token_hint=x&post_logout_redirect_uri=https://evil.example',
    ])
      for (const method of ['GET', 'DELETE', 'OPTIONS']) {
        const answer = await ask(scene, method, path)
        scene.check(!/evil\.example/.test(locationOf(answer)), answer, 'A sign-out leads to another host.')
      }
  }),
  make('connected applications of others are not ended', 'P5, SEC-54', async (scene, { stranger }) => {
    for (const id of ['nosuch', '__proto__', '%00', '..%2f', 'x'.repeat(300)])
      scene.refused(
        await scene.call(stranger, 'DELETE', `/auth/connectedApps/${id}`),
        'A connected application that does not exist is ended.',
      )
  }),
]
