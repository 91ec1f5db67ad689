import { contract, type EndpointContract } from '@countersign/protocol/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createVictims, type Victim } from '../../testing/accounts/createVictims.ts'
import { answerChallenge, installation } from '../../testing/answerChallenge.ts'
import { createWallet } from '../../testing/chain/createWallet.ts'
import { type Answer, createTestServer, type TestServer } from '../../testing/createTestServer.ts'

/**
 * Calls every endpoint with a session whose last proof is too old. Changes of sign-in methods, address, password,
 * sessions or recovery codes are refused; everything else leaves them unchanged, with any body. The contract marks the
 * former by the reason reauthenticationRequired.
 */

let server: TestServer

let victim: Victim

type Call = readonly [method: string, path: string, body?: object]

beforeAll(async () => {
  // Whatever is sent is a proof to these: only the age of the session keeps it out.
  const validateAuthData = async () => {}
  const codes = { validateAuthData, policy: 'additional' }
  server = await createTestServer({
    emailCode: { enabled: true },
    auth: { social: { validateAuthData }, other: { validateAuthData }, codes },
  })
  server.context.registry.jobs.set('walk', { run: async () => undefined })
  victim = await makeVictim()
})

afterAll(() => server.stop())

const { makeVictim, snapshot } = createVictims(() => server)

/** One request in every form in which it may be sent. */
async function sendAll(one: Victim, [method, path, body = {}]: Call): Promise<Answer[]> {
  const { token } = one
  const options = { token, headers: installation }
  const answers = [await server.call(method, path, method === 'GET' ? undefined : body, options)]
  const bare = path.split('?')[0] ?? path
  if (method !== 'POST') answers.push(await server.call('POST', path, { ...body, _method: method }, options))
  const requests = [{ method, path: `/server${path}`, body }]
  answers.push(asOne(await server.call('POST', '/batch', { requests }, options)))
  // As the older clients send it: no header but the type of a text, and all of it in the body.
  const inBody = {
    ...body,
    _method: method,
    _ApplicationId: server.appId,
    _SessionToken: token,
    _InstallationId: installation['X-Parse-Installation-Id'],
  }
  const response = await fetch(`${server.serverUrl}${bare}`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain' },
    body: JSON.stringify(inBody),
  })
  const text = await response.text()
  const read = text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : {}
  answers.push({ status: response.status, headers: response.headers, text, body: read })
  return answers
}

/** Response to the only request of a batch, as if it had been sent alone. */
function asOne(batch: Answer): Answer {
  const [first] = Array.isArray(batch.body) ? (batch.body as { error?: Answer['body'] }[]) : [{ error: batch.body }]
  return { ...batch, body: first?.error ?? {} }
}

const reauthenticate = 'Confirm it’s you to continue.'

/** A batch carries nothing that binds a browser, streams, or opens a session. */
const notInBatch = /^cannot route /

const strangersId = '6ba7b810-9dad-11d1-80b4-00c04fd43099'

const mine = { email: 'thief@example.com', password: 'of a thief', username: 'thief' }

async function linkByAuthData({ token }: Victim): Promise<object> {
  const key = createWallet()
  const time = await server.call('POST', '/functions/getServerTime', {}, { token, headers: installation })
  const { dateTime } = time.body.result as { dateTime: string }
  const data = `Moralis Authentication\n\nId: ${server.appId}:${dateTime}`
  const id = key.address.toLowerCase()
  return { authData: { moralisEth: { id, signature: await key.signMessage({ message: data }), data } } }
}

const updates = async (one: Victim, path: string): Promise<Call[]> => {
  const bodies = [
    { email: mine.email },
    { email: null },
    { email: { __op: 'Delete' } },
    { password: mine.password },
    { username: mine.username },
    { ...mine, note: 'x' },
    { authData: { anonymous: { id: strangersId } } },
    { authData: {}, email: mine.email },
    { authData: { other: { id: strangersId } } },
    { authData: { social: { id: strangersId } } },
    { authData: { social: null } },
    { authData: { codes: { code: '1' } } },
    { authData: { mfa: { secret: 'JBSWY3DPEHPK3PXPJBSWY3DP', token: '123456' } } },
    { authData: { mfa: null } },
    { authData: { social: { id: one.username }, other: { id: strangersId } } },
    await linkByAuthData(one),
    { ...(await linkByAuthData(one)), note: 'x' },
  ]
  return bodies.map((body) => ['PUT', `${path}/${one.objectId}`, body])
}

const proofFor = (purpose: 'link' | 'merge') => async (one: Victim) =>
  answerChallenge(server, createWallet(), purpose, { token: one.token })

/** In the form of what a browser gives, without a signature that anybody would believe. */
const madeCredential = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'e30', attestationObject: 'AAAA', transports: [] },
  clientExtensionResults: {},
}

const asking = Object.entries<EndpointContract>(contract).filter(([, { reasons }]) =>
  reasons?.includes('reauthenticationRequired'),
)

/**
 * Endpoints that ask for a recent proof in some cases only: for the purpose link, beside another proof, or of a ticket
 * of a sign-in.
 */
const sometimes = [
  'answerAuthorizationRequest',
  'createProviderChallenge',
  'createFarcasterChallenge',
  'changePassword',
  'signInWithPasskey',
  'signInWithSecondFactor',
]

/** Requests that follow from the contract: nothing in the path, and no input that is needed. */
const plain = Object.fromEntries(
  asking
    .filter(
      ([name, { path, input }]) =>
        !path.includes(':') && !sometimes.includes(name) && (input?.safeParse({}).success ?? true),
    )
    .map(([name, { method, path }]) => [name, (): Call[] => [[method, path, {}]]]),
)

/** Endpoints that require a recent proof, each with a request that a fresh session could make. */
const sensitive: Record<string, (one: Victim) => Promise<Call[]> | Call[]> = {
  ...plain,
  updateUser: (one) => updates(one, '/users'),
  updateUserInClass: (one) => updates(one, '/classes/_User'),
  deleteUser: ({ objectId }) => [['DELETE', `/users/${objectId}`]],
  deleteUserInClass: ({ objectId }) => [['DELETE', `/classes/_User/${objectId}`]],
  createSessionInClass: () => [['POST', '/classes/_Session', {}]],
  createAccessToken: () => [['POST', '/auth/tokens', { name: 'x', scopes: ['*:read'] }]],
  linkWallet: async (one) => [['POST', '/auth/wallets', await proofFor('link')(one)]],
  unlinkWallet: ({ wallet }) => [['DELETE', `/auth/wallets/${wallet}`]],
  restoreWallet: ({ unlinked }) => [['POST', `/auth/wallets/${unlinked}/restore`, {}]],
  unlinkIn_EthAddress: ({ address }) => [['DELETE', `/classes/_EthAddress/${address}`]],
  unlinkIn_SolAddress: ({ solana }) => [['DELETE', `/classes/_SolAddress/${solana}`]],
  previewMerge: async (one) => [['POST', '/auth/merges', await proofFor('merge')(one)]],
  merge: ({ merge }) => [['POST', `/auth/merges/${merge}`, {}]],
  undoMerge: ({ merged }) => [['DELETE', `/auth/merges/${merged}`]],
  registerPasskey: () => [['POST', '/auth/passkeys', { credential: madeCredential }]],
  restorePasskey: ({ removedPasskey }) => [['POST', `/auth/passkeys/${removedPasskey}/restore`, {}]],
  removePasskey: ({ passkey }) => [['DELETE', `/auth/passkeys/${passkey}`]],
  linkProvider: () => [['POST', '/auth/identities', { state: 'x', code: 'x' }]],
  linkFarcaster: () => [['POST', '/auth/farcaster', { message: 'x', signature: '0x' }]],
  unlinkIdentity: () => [['DELETE', '/auth/identities/social']],
  restoreIdentity: () => [['POST', '/auth/identities/other/restore', {}]],
  updateSecondFactor: () => [
    ['PUT', '/auth/secondFactor', { passkey: true }],
    ['PUT', '/auth/secondFactor', { passkey: false }],
  ],
  confirmTotp: () => [['POST', '/auth/totp/confirm', { code: '123456' }]],
  updateAccountSecurity: () => [['PUT', '/auth/security', { signInAlerts: false }]],
}

/** Ordinary requests to endpoints of the list above. */
const harmless: Record<string, (one: Victim) => Call[]> = Object.fromEntries(
  ['/users', '/classes/_User'].map((path) => [
    path === '/users' ? 'updateUser' : 'updateUserInClass',
    ({ objectId, username, sessionId, address }: Victim): Call[] =>
      [
        { note: 'x', username, email: `${username}@example.com` },
        { emailVerified: true },
        { _hashed_password: 'x', _password_hash: 'x' },
        { _email_key: 'thief@example.com', _username_key: 'thief', _anonymous: 'x' },
        { 'email.x': 'thief@example.com', 'authData.moralisEth': { id: address } },
        { sessionToken: 'r:mine', _session_token: 'r:mine' },
        { ethAddress: `0x${'11'.repeat(20)}`, accounts: [], solAccounts: [] },
        { authData: null },
        { authData: {} },
        { authData: { moralisEth: null } },
        { authData: { social: { id: username }, other: null, nobody: null } },
        { 'authData.social': { id: strangersId }, 'authData.social.id': strangersId },
        { authData: { moralisEth: { id: address } } },
        { authData: { __op: 'Delete' } },
        { ACL: { '*': { read: true, write: true } } },
        { objectId: sessionId },
      ].map((body) => ['PUT', `${path}/${objectId}`, body] as const),
  ]),
)

/** Endpoints that end the caller's sessions and need no proof: signing in again restores them. */
const ending = ['logOut', 'revokeSession', 'revokeSessionInClass', 'revokeOtherSessions']

/** A body that wants everything. */
const hostile = (one: Victim): object => ({
  ...mine,
  objectId: one.objectId,
  user: { __type: 'Pointer', className: '_User', objectId: one.objectId },
  userId: one.objectId,
  authData: { moralisEth: { id: `0x${'11'.repeat(20)}`, signature: `0x${'11'.repeat(65)}`, data: 'x' } },
  emailVerified: true,
  sessionToken: 'r:mine',
  _session_token: 'r:mine',
  _hashed_password: 'x',
  _password_hash: 'x',
  _token_hash: 'x',
  _confirmed: { __type: 'Date', iso: '2999-01-01T00:00:00.000Z' },
  expiresAt: { __type: 'Date', iso: '2999-01-01T00:00:00.000Z' },
  restricted: false,
  signInAlerts: true,
  newPassword: mine.password,
  currentPassword: 'wrong',
  new_password: mine.password,
  token: 'guessed',
  code: 'guessed',
  message: 'x',
  signature: '0x',
  credential: {},
  ACL: { '*': { read: true, write: true } },
  where: {},
  restoreAccount: true,
})

/** A path with the victim's own things in it. */
function fill(one: Victim, method: string, path: string): string[] {
  const ids = [one.objectId, one.sessionId, one.wallet, one.passkey, one.doc]
  // To delete an object of `_Session` is to end it, which has a test of its own.
  const classes = method === 'DELETE' ? ['_User', 'Doc'] : ['_User', '%5FUser', '_Session', 'Doc']
  return classes
    .flatMap((className) => ids.map((id) => ({ className, id })))
    .map(({ className, id }) =>
      path.replace(/\{(\w+)\}/g, (_, name: string) =>
        name === 'className' ? className : name === 'objectId' ? id : 'x',
      ),
    )
    .filter((text, index, all) => all.indexOf(text) === index)
}

async function listEndpoints(): Promise<{ name: string; method: string; path: string }[]> {
  const api = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      name: operationId,
      method: method.toUpperCase(),
      path: path.replace(/^\/server(?=\/|$)/, ''),
    })),
  )
}

describe('a session whose user gave a proof too long ago', () => {
  test.each(Object.keys(sensitive))('SEC-2, SEC-13, SEC-19: %s is refused and changes nothing', async (name) => {
    const before = await snapshot(victim)
    const calls = (await sensitive[name]?.(victim)) ?? []
    for (const call of calls) {
      for (const [form, answer] of (await sendAll(victim, call)).entries()) {
        const about = `${call.join(' ')} in form ${form}: ${answer.text.slice(0, 200)}`
        if (notInBatch.test(String(answer.body.error))) continue
        expect([answer.body.code, answer.body.error], about).toEqual([119, reauthenticate])
      }
      expect(await snapshot(victim), String(call[1])).toEqual(before)
    }
  })

  test.each(Object.keys(harmless))('ordinary changes by %s change no sign-in method', async (name) => {
    const before = await snapshot(victim)
    for (const call of harmless[name]?.(victim) ?? []) {
      const answers = await sendAll(victim, call)
      for (const { status } of answers) expect(status, JSON.stringify(call)).toBeLessThan(500)
      expect(await snapshot(victim), JSON.stringify(call)).toEqual(before)
    }
  })

  test.each(ending)('%s ends sessions and does nothing else', async (name) => {
    const one = await makeVictim()
    const before = await snapshot(one)
    const endpoint = (await listEndpoints()).find((known) => known.name === name)
    for (const path of fill(one, endpoint?.method ?? '', endpoint?.path ?? ''))
      await sendAll(one, [endpoint?.method ?? '', path, hostile(one)])
    const after = await snapshot(one)
    expect({ ...after, sessions: [] }).toEqual({ ...before, sessions: [] })
    const known = before.sessions as object[]
    for (const session of after.sessions as object[]) expect(known).toContainEqual(session)
  })

  test('every other endpoint leaves the account’s sign-in methods unchanged, with any body', async () => {
    const before = await snapshot(victim)
    for (const { name, method, path } of await listEndpoints()) {
      if (name in sensitive || ending.includes(name)) continue
      for (const filled of fill(victim, method, path)) {
        for (const { status } of await sendAll(victim, [method, filled, hostile(victim)]))
          expect(status, `${method} ${filled}`).toBeLessThan(500)
      }
      expect(await snapshot(victim), name).toEqual(before)
    }
  }, 300_000)

  test('every endpoint whose contract asks for a recent proof is tried without one', async () => {
    const tried = Object.keys(sensitive).filter((name) => name in contract)
    expect(asking.map(([name]) => name).sort()).toEqual([...tried, ...sometimes].sort())
  })

  test('the lists name endpoints that the server has', async () => {
    const names = (await listEndpoints()).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining([...Object.keys(sensitive), ...ending]))
  })

  test('the application code of a user is held to the same', async () => {
    const before = await snapshot(victim)
    const identity = { _ApplicationId: server.appId, _SessionToken: victim.token }
    const calls: Call[] = [
      ['PUT', `/users/${victim.objectId}`, mine],
      ['PUT', `/users/${victim.objectId}`, await linkByAuthData(victim)],
      ['DELETE', `/users/${victim.objectId}`],
      ['POST', '/sessions', {}],
      ['POST', '/auth/recoveryCodes', {}],
    ]
    for (const [method, path, body] of calls) {
      const asked = { method, path, body: JSON.stringify({ ...body, ...identity }) }
      expect(await server.context.ask(asked)).toMatchObject({ error: { code: 119 } })
    }
    expect(await snapshot(victim)).toEqual(before)
  })
})
