import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import {
  type ChallengeOptions,
  createAuthenticator,
  present,
  type RegistrationOptions,
} from '../testing/accounts/createAuthenticator.ts'
import { createOlderClient, installation as olderInstallation, proof } from '../testing/accounts/createOlderClient.ts'
import { answerChallenge, installation } from '../testing/answerChallenge.ts'
import { type Answer, createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { inConsole } from '../testing/openConsole.ts'
import { type Issuer, startIssuer } from '../testing/startIssuer.ts'
import { proofKinds } from '../users/sessions/admit.ts'

// Every way to a session × everything that is demanded of it, from one list of ways. Three servers share a database: what
// an account has is the same for all, and what the operator demands differs.

let plain: TestServer
/** No session before the address is verified. */
let strict: TestServer
/** A second factor for everyone. */
let guarded: TestServer
let issuer: Issuer
let root: { objectId: string; token: string }
const role = { pointer: '' }

beforeAll(async () => {
  issuer = await startIssuer()
  const { clientId, clientSecret } = issuer
  const config = {
    rateLimit: [],
    emailCode: { enabled: true },
    confirmationLength: 24 * 3600,
    secondFactor: { required: { roles: ['keepers'] } },
    auth: {
      acme: { type: 'oidc' as const, issuer: issuer.url, clientId, clientSecret },
      custom: { validateAuthData: async () => {} },
      solo: { policy: 'solo' as const, validateAuthData: async () => {} },
      pin: { policy: 'additional' as const, validateAuthData: async () => {} },
    },
  }
  plain = await createTestServer(config)
  strict = await createTestServer({ ...config, preventLoginWithUnverifiedEmail: true }, plain.database)
  guarded = await createTestServer({ ...config, secondFactor: { required: 'everyone' } }, plain.database)
  root = await plain.signUp('root')
  // The console demands one of its operators wherever everyone needs one.
  await addTotp(root)
  await plain.call('PUT', `/console/operators/${root.objectId}`, { role: 'admin' }, { master: true })
  const made = await plain.call('POST', '/roles', { name: 'keepers', ACL: {} }, { master: true })
  role.pointer = String(made.body.objectId)
})
afterAll(async () => {
  await guarded.stop()
  await strict.stop()
  await plain.stop()
  await issuer.stop()
})

type Account = { objectId: string; token: string; name: string; requestId: string }
type Enter = (server: TestServer, input?: object) => Promise<Answer>
type Outcome = 'confirmed' | 'unconfirmed' | 'no session' | (string & {})

type Way = {
  kind: keyof typeof proofKinds
  /** Adds the method to an account, and returns its sign-in. */
  add(account: Account): Promise<Enter>
  /** Result where nothing is demanded. */
  plain: 'confirmed' | 'unconfirmed'
  /** The kind is asked for a second factor, and for an additional provider. */
  asks: { second: boolean; additional: boolean; verified: boolean }
  /** Takes `restoreAccount`. */
  restores: boolean
}

const own = (account: { token: string }, method: string, path: string, body?: object) =>
  plain.call(method, path, body, { token: account.token, headers: installation })

const older = (server: TestServer) => createOlderClient(() => server)

async function linkWallet(account: Account) {
  const key = privateKeyToAccount(generatePrivateKey())
  const signed = await answerChallenge(plain, key, 'link', { token: account.token })
  const linked = await own(account, 'POST', '/auth/wallets', signed)
  expect(linked.status, linked.text).toBeLessThan(300)
  return key
}

async function addPasskey(account: Account) {
  const authenticator = createAuthenticator(plain.context.publicUrl)
  const { body } = await own(account, 'POST', '/auth/passkeys/registration', {})
  const credential = authenticator.register(body.options as RegistrationOptions)
  expect((await own(account, 'POST', '/auth/passkeys', { credential })).status).toBe(201)
  return async (server: TestServer, flags?: number) => {
    const asked = await server.call('POST', '/auth/passkeys/challenge', {}, { headers: installation })
    const bend = { origin: new URL(server.context.publicUrl).origin, ...(flags !== undefined && { flags }) }
    return authenticator.assert(asked.body.options as ChallengeOptions, bend)
  }
}

async function verifyAddress(account: Account): Promise<string> {
  const email = `${randomUUID()}@example.com`
  await plain.call('PUT', `/users/${account.objectId}`, { email }, { master: true })
  await plain.call('PUT', `/users/${account.objectId}`, { emailVerified: true }, { master: true })
  return email
}

/** Has a code and a link mailed to a page, which gets its session in a cookie. */
async function askCode(server: TestServer, email: string) {
  // The outbox has the newest first.
  server.clock.forward(1_000)
  const page = { 'X-Countersign-Session': 'cookie', Origin: new URL(server.context.publicUrl).origin }
  const asked = await server.call('POST', '/auth/emailCode', { email }, { headers: page })
  const headers = { ...page, Cookie: /countersign-asks=[^;]+/.exec(asked.headers.get('set-cookie') ?? '')?.[0] ?? '' }
  await server.context.background.settle()
  const { body } = await server.call('GET', '/outbox', undefined, { master: true })
  const mails = body.results as { to: string; text: string; link: string | null }[]
  const mail = mails.find(({ to, text }) => to === email && /\n\n\d{6}\n\n/.test(text))
  const code = /\n\n(\d{6})\n\n/.exec(mail?.text ?? '')?.[1]
  const token = mail?.link ? new URL(mail.link).searchParams.get('token') : null
  return { headers, handle: asked.body.handle, code, token }
}

const addIdentity =
  (provider: string) =>
  async (account: Account): Promise<Enter> => {
    const authData = { [provider]: { id: randomUUID() } }
    const linked = await own(account, 'PUT', `/users/${account.objectId}`, { authData })
    expect(linked.status, linked.text).toBe(200)
    return (server, input) => server.call('POST', '/users', { authData, ...input })
  }

const typed = { second: true, additional: true, verified: true }
const signed = { second: true, additional: false, verified: true }
const whole = { second: false, additional: false, verified: true }
const nothing = { second: false, additional: false, verified: false }

const ways: { [name: string]: Way } = {
  password: {
    kind: 'password',
    add:
      async ({ name }) =>
      (server, input) =>
        server.call('POST', '/login', { username: name, password: `${name} password`, ...input }),
    plain: 'confirmed',
    asks: typed,
    restores: true,
  },
  'password by GET': {
    kind: 'password',
    add:
      async ({ name }) =>
      (server, input) => {
        const query = new URLSearchParams({ username: name, password: `${name} password` })
        const flag = input ? '&restoreAccount=true' : ''
        return server.call('GET', `/login?${query}${flag}`)
      },
    plain: 'confirmed',
    asks: typed,
    restores: false,
  },
  'repeated sign-up': {
    kind: 'signUp',
    add:
      async ({ name, requestId }) =>
      (server) =>
        server.call(
          'POST',
          '/users',
          { username: name, password: `${name} password` },
          { headers: { 'X-Parse-Request-Id': requestId } },
        ),
    plain: 'confirmed',
    asks: typed,
    restores: false,
  },
  'guest id': {
    kind: 'guestId',
    add: addIdentity('anonymous'),
    plain: 'confirmed',
    asks: typed,
    restores: true,
  },
  'mailed code': {
    kind: 'emailCode',
    async add(account) {
      const email = await verifyAddress(account)
      return async (server, input) => {
        const { headers, handle, code } = await askCode(server, email)
        return server.call('POST', '/auth/signInWithEmailCode', { handle, code, ...input }, { headers })
      }
    },
    plain: 'confirmed',
    asks: { ...typed, verified: false },
    restores: true,
  },
  'mailed link': {
    kind: 'emailCode',
    async add(account) {
      const email = await verifyAddress(account)
      return async (server, input) => {
        const { headers, token } = await askCode(server, email)
        return server.call('POST', '/auth/signInWithEmailLink', { token, ...input }, { headers })
      }
    },
    plain: 'confirmed',
    asks: { ...typed, verified: false },
    restores: true,
  },
  identity: { kind: 'identity', add: addIdentity('custom'), plain: 'confirmed', asks: typed, restores: true },
  'solo identity': { kind: 'soloIdentity', add: addIdentity('solo'), plain: 'confirmed', asks: signed, restores: true },
  'OpenID Connect': {
    kind: 'identity',
    async add(account) {
      const sub = randomUUID()
      const go = async (server: TestServer, purpose: string, token?: string) => {
        const options = { headers: installation, ...(token && { token }) }
        const { body } = await server.call('POST', '/auth/providers/acme/challenge', { purpose }, options)
        issuer.next = { claims: { sub } }
        return issuer.approve(String(body.url))
      }
      const linked = await own(account, 'POST', '/auth/identities', await go(plain, 'link', account.token))
      expect(linked.status, linked.text).toBeLessThan(300)
      return async (server, input) =>
        server.call(
          'POST',
          '/auth/signInWithProvider',
          { ...(await go(server, 'signIn')), ...input },
          { headers: installation },
        )
    },
    plain: 'confirmed',
    asks: typed,
    restores: true,
  },
  wallet: {
    kind: 'wallet',
    async add(account) {
      const key = await linkWallet(account)
      return async (server, input) =>
        server.call(
          'POST',
          '/auth/signInWithWallet',
          { ...(await answerChallenge(server, key, 'signIn')), ...input },
          { headers: installation },
        )
    },
    plain: 'confirmed',
    asks: signed,
    restores: true,
  },
  'older text from a page': {
    kind: 'wallet',
    async add(account) {
      const key = await linkWallet(account)
      return async (server, input) => {
        const { page, textOf, getTime } = older(server)
        return server.call('POST', '/users', { ...(await proof(key, textOf(await getTime(page())))), ...input }, page())
      }
    },
    plain: 'confirmed',
    asks: signed,
    restores: true,
  },
  'older text from a server': {
    kind: 'relayedWallet',
    async add(account) {
      const key = await linkWallet(account)
      return async (server, input) => {
        const { textOf, getTime } = older(server)
        const body = { ...(await proof(key, textOf(await getTime()))), ...input }
        return server.call('POST', '/users', body, olderInstallation())
      }
    },
    plain: 'unconfirmed',
    asks: signed,
    restores: true,
  },
  passkey: {
    kind: 'passkey',
    async add(account) {
      const assert = await addPasskey(account)
      return async (server, input) =>
        server.call(
          'POST',
          '/auth/signInWithPasskey',
          { credential: await assert(server), ...input },
          { headers: installation },
        )
    },
    plain: 'confirmed',
    asks: whole,
    restores: true,
  },
  'passkey without a check of its user': {
    kind: 'passkeyTouch',
    async add(account) {
      const assert = await addPasskey(account)
      return async (server, input) =>
        server.call(
          'POST',
          '/auth/signInWithPasskey',
          { credential: await assert(server, present), ...input },
          { headers: installation },
        )
    },
    plain: 'unconfirmed',
    asks: signed,
    restores: true,
  },
  'recovery code': {
    kind: 'recoveryCode',
    async add(account) {
      const { body } = await own(account, 'POST', '/auth/recoveryCodes', {})
      const codes = body.codes as string[]
      return (server, input) =>
        server.call('POST', '/auth/signInWithRecoveryCode', { username: account.name, code: codes.pop(), ...input })
    },
    plain: 'confirmed',
    asks: whole,
    restores: true,
  },
  'master key': {
    kind: 'masterKey',
    add:
      async ({ objectId }) =>
      (server) =>
        server.call('POST', '/loginAs', { userId: objectId }, { master: true }),
    plain: 'unconfirmed',
    asks: nothing,
    restores: false,
  },
  'operator of the console': {
    kind: 'operator',
    add:
      async ({ objectId }) =>
      (server) =>
        server.call('POST', `/console/users/${objectId}/impersonate`, {}, { token: root.token, headers: inConsole }),
    plain: 'unconfirmed',
    asks: nothing,
    restores: false,
  },
  'further session': {
    kind: 'session',
    add:
      async ({ token }) =>
      (server) =>
        server.call('POST', '/sessions', {}, { token }),
    plain: 'confirmed',
    asks: nothing,
    restores: false,
  },
  'new password': {
    kind: 'newPassword',
    add:
      async ({ token, name }) =>
      (server) =>
        server.call(
          'POST',
          '/changePassword',
          { currentPassword: `${name} password`, newPassword: 'another password' },
          { token },
        ),
    plain: 'confirmed',
    asks: nothing,
    restores: false,
  },
}

let count = 0
async function newAccount(): Promise<Account> {
  const name = `person-${++count}`
  const requestId = randomUUID()
  const input = { username: name, password: `${name} password` }
  const { body, text } = await plain.call('POST', '/users', input, { headers: { 'X-Parse-Request-Id': requestId } })
  expect(body.sessionToken, text).toBeDefined()
  return { objectId: String(body.objectId), token: String(body.sessionToken), name, requestId }
}

async function addTotp(account: { token: string }): Promise<void> {
  const { body } = await own(account, 'POST', '/auth/totp', {})
  const code = new TOTP({ secret: Secret.fromBase32(String(body.secret)) }).generate({ timestamp: plain.clock.ms() })
  const on = await own(account, 'POST', '/auth/totp/confirm', { code })
  expect(on.status, on.text).toBe(200)
}

const pointer = (className: string, objectId: string) => ({ __type: 'Pointer', className, objectId })

type Demand = {
  server: () => TestServer
  prepare: (account: Account) => Promise<unknown>
  outcome: (way: Way, name: string) => Outcome
  input?: object
  /** Ways that it says nothing about. */
  skips?: (way: Way) => boolean
}

const isSignUp = (name: string) => name === 'repeated sign-up'
const setUp = (way: Way, name: string): Outcome => {
  if (!way.asks.second) return way.plain
  return isSignUp(name) ? 'no session' : 'secondFactorSetUpRequired'
}

const demands: { [name: string]: Demand } = {
  nothing: { server: () => plain, prepare: async () => {}, outcome: (way) => way.plain },
  'a verified address': {
    server: () => strict,
    async prepare({ objectId }) {
      const { db } = plain.context
      const email = `${randomUUID()}@example.com`
      await db.query(sql`
        update "_User" set email = ${email}, "_email_key" = ${email}, "emailVerified" = false
        where "objectId" = ${objectId}`)
    },
    outcome: (way, name) => {
      if (!way.asks.verified) return way.plain
      return isSignUp(name) ? 'no session' : 'emailNotVerified'
    },
    // The code went to the address: it is verified by it.
    skips: ({ kind }) => kind === 'emailCode',
  },
  'an account that is not locked': {
    server: () => plain,
    prepare: ({ objectId }) => plain.call('PUT', `/users/${objectId}`, { ACL: {} }, { master: true }),
    outcome: () => 'no session',
  },
  'an account that is not deleted': {
    server: () => plain,
    prepare: (account) => own(account, 'DELETE', `/users/${account.objectId}`),
    outcome: (way) => (way.restores ? 'accountDeletionPending' : 'no session'),
  },
  'an account that is to be restored': {
    server: () => plain,
    prepare: (account) => own(account, 'DELETE', `/users/${account.objectId}`),
    input: { restoreAccount: true },
    // A proof that confirms nothing does not undo what the owner confirmed.
    outcome: (way) => (way.plain === 'unconfirmed' ? 'reauthenticationRequired' : way.plain),
    skips: ({ restores }) => !restores,
  },
  'an address, of an account that is to be restored': {
    server: () => strict,
    async prepare(account) {
      await demands['a verified address']?.prepare(account)
      await own(account, 'DELETE', `/users/${account.objectId}`)
    },
    input: { restoreAccount: true },
    // A relayed text restores nothing, whatever else the account asks for.
    outcome: ({ kind }) => (kind === 'relayedWallet' ? 'reauthenticationRequired' : 'emailNotVerified'),
    skips: ({ restores, kind }) => !restores || kind === 'emailCode',
  },
  'the second factor of the account': {
    server: () => plain,
    prepare: addTotp,
    outcome: (way) => (way.asks.second ? 'secondFactorRequired' : way.plain),
  },
  'a second factor by its role': {
    server: () => plain,
    prepare: ({ objectId }) =>
      plain.call(
        'PUT',
        `/roles/${role.pointer}`,
        { users: { __op: 'AddRelation', objects: [pointer('_User', objectId)] } },
        { master: true },
      ),
    outcome: setUp,
  },
  'a second factor by the settings': { server: () => guarded, prepare: async () => {}, outcome: setUp },
  'its additional provider': {
    server: () => plain,
    prepare: (account) => own(account, 'PUT', `/users/${account.objectId}`, { authData: { pin: { pin: '1' } } }),
    outcome: (way) => (way.asks.additional ? 'Missing additional authData pin' : way.plain),
  },
  'its additional provider, to be restored': {
    server: () => plain,
    async prepare(account) {
      await own(account, 'PUT', `/users/${account.objectId}`, { authData: { pin: { pin: '1' } } })
      await addTotp(account)
      await own(account, 'DELETE', `/users/${account.objectId}`)
    },
    input: { restoreAccount: true },
    outcome: () => 'Missing additional authData pin',
    skips: ({ restores, asks }) => !restores || !asks.additional,
  },
}

/** Outcome of an attempt, from the response and from the session's row. */
async function readOutcome(answer: Answer, expected: Outcome): Promise<Outcome> {
  const cookie = /countersign=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1]
  const token = answer.body.sessionToken ?? (cookie && decodeURIComponent(cookie))
  if (typeof token !== 'string') {
    expect(answer.text).not.toContain('sessionToken')
    if (expected === 'no session') return expected
    // The refusal of an additional provider has a sentence of its own, and the code of many.
    return String(expected.startsWith('Missing') ? answer.body.error : answer.body.reason)
  }
  const hash = createHash('sha256').update(token).digest()
  const [row] = await plain.context.db.query<{ confirmed: boolean }>(
    sql`select "_confirmed" > '2000-01-01' as confirmed from "_Session" where "_token_hash" = ${hash}`,
  )
  expect(row, 'the session of the answer').toBeDefined()
  return row?.confirmed ? 'confirmed' : 'unconfirmed'
}

describe.each(Object.entries(demands))('demanded: %s', (_demand, { server, prepare, outcome, input, skips }) => {
  test.each(Object.entries(ways).filter(([, way]) => !skips?.(way)))(
    '%s',
    async (name, way) => {
      const account = await newAccount()
      const enter = await way.add(account)
      await prepare(account)
      const expected = outcome(way, name)
      const before = await countSessions(account)
      const answer = await enter(server(), input)
      expect(await readOutcome(answer, expected), answer.text).toBe(expected)
      const isIn = expected === 'confirmed' || expected === 'unconfirmed'
      if (!isIn) expect(await countSessions(account)).toBe(before)
    },
    60_000,
  )
})

async function countSessions({ objectId }: Account): Promise<number> {
  return (await plain.context.db.query(sql`select from "_Session" where "user" = ${objectId}`)).length
}

describe('one door', () => {
  const folder = join(import.meta.dirname, '..')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/^(testing|db\/migrations)\//.test(file))
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
  const having = (pattern: RegExp) =>
    files
      .filter(({ text }) => pattern.test(text))
      .map(({ file }) => file)
      .sort()

  test('sessions are inserted in one place, and by an import', () => {
    expect(having(/insert\s+into\s+(public\.)?"?_Session"?\b/i)).toEqual(['users/sessions/createSession.ts'])
    expect(having(/table: sql`public\."_Session"`/)).toEqual(['transfer/importBatch.ts'])
    // Statements whose table is a value: none of these is ever given the sessions. A new one has to show that first.
    const generic = having(/insert\s+into\s+\$\{/i).filter((file) =>
      /^(auth|console|functions|http|transfer|users)\//.test(file),
    )
    expect(generic).toEqual([
      'auth/merge/mergeAccounts.ts',
      'auth/merge/undoAccountMerge.ts',
      // Into a copy in another process.
      'console/sql/copyProcess.ts',
      'transfer/insertRows.ts',
      'users/signUp.ts',
    ])
    expect(having(/sql\.table\('_Session'\)/)).toEqual([])
  })

  test('sessions are confirmed in one place', () => {
    expect(having(/update\s+(public\.)?"_Session"[^`]*"_confirmed"\s*=/i)).toEqual(['users/sessions/sessions.ts'])
    expect(having(/\bconfirmSession\(/)).toEqual(['auth/reauthenticate.ts', 'users/sessions/sessions.ts'])
  })

  test('docs/security.md has the table of the code', () => {
    const page = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^\|.*\(`(\w+)`\) \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$/gm)]
    const asked = (isAsked: boolean) => (isAsked ? 'asked for' : '–')
    const expected = Object.entries(proofKinds).map(([kind, worth]) => {
      const { isNoSignIn, standsAlone, isWhole, isWeak } = worth as { [name: string]: true | undefined }
      const opens = isWeak ? 'unconfirmed' : kind === 'session' ? 'as the one that asks' : 'confirmed'
      return [kind, asked(!isNoSignIn), asked(!isNoSignIn && !standsAlone), asked(!isNoSignIn && !isWhole), opens]
    })
    expect(rows.map(([, ...cells]) => cells)).toEqual(expected)
  })

  test('every caller is known, and the table above covers every kind of proof', () => {
    expect(having(/\b(createSession|draftOpening)\(/)).toEqual([
      'auth/emailCode/signInWithEmailCode.ts',
      'auth/parseCompat/signInByAuthData.ts',
      'auth/passkeys/signInWithPasskey.ts',
      'auth/providers/signInWithProviders.ts',
      'auth/recovery/recoveryCodes.ts',
      'auth/secondFactor/secondFactor.ts',
      'auth/wallets/signInWithWallet.ts',
      'console/users.ts',
      'users/passwords/logIn.ts',
      'users/sessions/createSession.ts',
      'users/sessions/sessions.ts',
      'users/signUp.ts',
      'users/updateUser.ts',
    ])
    // The second step ends all others if a factor is required: `oneDoor.test.ts` has it.
    const covered = new Set<string>([...Object.values(ways).map(({ kind }) => kind), 'secondStep', 'relayedSecondStep'])
    expect(Object.keys(proofKinds).filter((kind) => !covered.has(kind))).toEqual([])
  })
})
