import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { binToBase58 } from '@bitauth/libauth'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import {
  type ChallengeOptions,
  createAuthenticator,
  type RegistrationOptions,
} from '../testing/accounts/createAuthenticator.ts'
import { answerChallenge, installation } from '../testing/answerChallenge.ts'
import { type Answer, createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { listMails } from '../testing/readMails.ts'
import { type Issuer, startIssuer } from '../testing/startIssuer.ts'

// Every sign-in method is treated alike: whatever one of them can do in an account, all of them can.

let server: TestServer
let issuer: Issuer
let node: Server
/** Ids of Farcaster by custody address, as the registry has them. */
const ids = new Map<string, number>()

beforeAll(async () => {
  issuer = await startIssuer()
  node = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { id, method, params } = JSON.parse(Buffer.concat(parts).toString())
    const word = (ids.get(`0x${String(params?.[0]?.data ?? '').slice(-40)}`) ?? 0).toString(16).padStart(64, '0')
    const result = method === 'eth_chainId' ? '0xa' : method === 'eth_call' ? `0x${word}` : '0x'
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const { clientId, clientSecret } = issuer
  server = await createTestServer({
    rateLimit: [],
    emailCode: { enabled: true },
    chains: [{ id: 10, rpcUrls: [`http://127.0.0.1:${(node.address() as AddressInfo).port}`] }],
    auth: {
      acme: { type: 'oidc', issuer: issuer.url, clientId, clientSecret, label: 'Acme' },
      custom: { validateAuthData: async () => {} },
      farcaster: {},
    },
  })
})
afterAll(async () => {
  await server.stop()
  await issuer.stop()
  node.close()
})

const as = (token: string) => ({ token, headers: installation })
const own = (token: string, path: string, method = 'GET', body?: object) => server.call(method, path, body, as(token))
const guest = (path: string, body: object) => server.call('POST', path, body, { headers: installation })

type Entry = { objectId?: string; label?: string; name?: string; address?: string; lastUsedAt?: string }
type Listed = { password: boolean; wallets: Entry[]; passkeys: Entry[]; identities?: (Entry & { provider: string })[] }

type Held = {
  /** Adds it to the account of the session. */
  add: (token: string) => Promise<Answer>
  signIn: () => Promise<Answer>
  /** The first request of a sign-in. */
  begin: () => Promise<Answer>
}

type Method = {
  name: string
  create: () => Held
  /** As the account area lists it. */
  find: (listed: Listed) => Entry | undefined
  /** Label of the entry in that list. */
  label: (entry: Entry) => string | undefined
  /** Its address, by which it is removed. */
  path: (entry: Entry) => string
  actions: { added: string; removed: string }
  endpoints: string[]
  hooks: string[]
  page: string
}

function createFarcaster(): Held {
  const custody = privateKeyToAccount(generatePrivateKey())
  ids.set(custody.address.toLowerCase(), ids.size + 1)
  const fid = ids.size
  const sign = async (purpose: string, token?: string) => {
    const options = { headers: installation, ...(token && { token }) }
    const { body } = await server.call('POST', '/auth/farcaster/challenge', { purpose }, options)
    const message = [
      `${body.domain} wants you to sign in with your Ethereum account:`,
      `${custody.address}\n\nFarcaster Auth\n`,
      `URI: ${body.siweUri}\nVersion: 1\nChain ID: 10\nNonce: ${body.nonce}`,
      `Issued At: ${server.clock.now().toISOString()}\nResources:\n- farcaster://fid/${fid}`,
    ].join('\n')
    return { message, signature: await custody.signMessage({ message }) }
  }
  return {
    add: async (token) => own(token, '/auth/farcaster', 'POST', await sign('link', token)),
    signIn: async () => guest('/auth/signInWithFarcaster', await sign('signIn')),
    begin: () => guest('/auth/farcaster/challenge', {}),
  }
}

function createProvider(): Held {
  const sub = randomUUID()
  const go = async (purpose: string, token?: string) => {
    const options = { headers: installation, ...(token && { token }) }
    const { body } = await server.call('POST', '/auth/providers/acme/challenge', { purpose }, options)
    issuer.next = { claims: { sub } }
    return issuer.approve(String(body.url))
  }
  return {
    add: async (token) => own(token, '/auth/identities', 'POST', await go('link', token)),
    signIn: async () => guest('/auth/signInWithProvider', await go('signIn')),
    begin: () => guest('/auth/providers/acme/challenge', {}),
  }
}

function createPasskey(): Held {
  const authenticator = createAuthenticator(server.context.publicUrl)
  return {
    async add(token) {
      const { body } = await own(token, '/auth/passkeys/registration', 'POST', {})
      const credential = authenticator.register(body.options as RegistrationOptions)
      return own(token, '/auth/passkeys', 'POST', { credential, name: 'Phone' })
    },
    async signIn() {
      const { body } = await guest('/auth/passkeys/challenge', {})
      const credential = authenticator.assert(body.options as ChallengeOptions)
      return guest('/auth/signInWithPasskey', { credential })
    },
    begin: () => guest('/auth/passkeys/challenge', {}),
  }
}

function createWallet(): Held {
  const account = privateKeyToAccount(generatePrivateKey())
  return {
    add: async (token) =>
      own(token, '/auth/wallets', 'POST', await answerChallenge(server, account, 'link', { token })),
    signIn: async () => guest('/auth/signInWithWallet', await answerChallenge(server, account, 'signIn')),
    begin: () => guest('/auth/challenge', { address: account.address }),
  }
}

function createSolanaWallet(): Held {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const address = binToBase58(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
  const answer = async (purpose: string, token?: string) => {
    const options = { headers: installation, ...(token && { token }) }
    const input = { purpose, namespace: 'solana', address }
    const message = String((await server.call('POST', '/auth/challenge', input, options)).body.message)
    return { message, signature: sign(null, Buffer.from(message), privateKey).toString('base64') }
  }
  return {
    add: async (token) => own(token, '/auth/wallets', 'POST', await answer('link', token)),
    signIn: async () => guest('/auth/signInWithWallet', await answer('signIn')),
    begin: () => guest('/auth/challenge', { namespace: 'solana', address }),
  }
}

function createCustom(): Held {
  const authData = { custom: { id: randomUUID() } }
  return {
    async add(token) {
      const { body } = await own(token, '/users/me')
      return own(token, `/users/${body.objectId}`, 'PUT', { authData })
    },
    signIn: () => guest('/users', { authData }),
    begin: () => guest('/users', { authData }),
  }
}

const ofProvider = (name: string) => ({
  find: ({ identities }: Listed) => identities?.find(({ provider }) => provider === name),
  path: () => `/auth/identities/${name}`,
  actions: { added: 'linkIdentity', removed: 'unlinkIdentity' },
})

const methods: Method[] = [
  {
    name: 'a wallet',
    create: createWallet,
    find: ({ wallets }) => wallets[0],
    label: ({ address }) => address,
    path: ({ objectId }) => `/auth/wallets/${objectId}`,
    actions: { added: 'linkWallet', removed: 'unlinkWallet' },
    endpoints: ['/auth/signInWithWallet', '/auth/wallets', '/auth/wallets/{objectId}/restore'],
    hooks: ['useSignInWithWallet', 'useLinkWallet', 'useUnlinkWallet', 'useRestoreWallet'],
    page: 'wallets.md',
  },
  {
    name: 'a Solana wallet',
    create: createSolanaWallet,
    find: ({ wallets }) => wallets[0],
    label: ({ address }) => address,
    path: ({ objectId }) => `/auth/wallets/${objectId}`,
    actions: { added: 'linkWallet', removed: 'unlinkWallet' },
    endpoints: ['/auth/signInWithWallet', '/auth/wallets', '/auth/wallets/{objectId}/restore'],
    hooks: ['useSignInWithWallet', 'useLinkWallet', 'useUnlinkWallet', 'useRestoreWallet'],
    page: 'wallets.md',
  },
  {
    name: 'a passkey',
    create: createPasskey,
    find: ({ passkeys }) => passkeys[0],
    label: ({ name }) => name,
    path: ({ objectId }) => `/auth/passkeys/${objectId}`,
    actions: { added: 'addPasskey', removed: 'removePasskey' },
    endpoints: ['/auth/signInWithPasskey', '/auth/passkeys', '/auth/passkeys/{objectId}/restore'],
    hooks: ['useSignInWithPasskey', 'useRegisterPasskey', 'useRemovePasskey', 'useRestorePasskey'],
    page: 'passkeys.md',
  },
  {
    name: 'a provider of OpenID Connect',
    create: createProvider,
    ...ofProvider('acme'),
    label: ({ name }) => name,
    endpoints: ['/auth/signInWithProvider', '/auth/identities', '/auth/identities/{provider}/restore'],
    hooks: ['useSignInWithProvider', 'useLinkProvider', 'useUnlinkIdentity', 'useRestoreIdentity'],
    page: 'sign-in-providers.md',
  },
  {
    name: 'Farcaster',
    create: createFarcaster,
    ...ofProvider('farcaster'),
    label: ({ label }) => label,
    endpoints: ['/auth/signInWithFarcaster', '/auth/farcaster', '/auth/identities/{provider}'],
    hooks: ['useSignInWithFarcaster', 'useLinkFarcaster', 'useUnlinkIdentity', 'useRestoreIdentity'],
    page: 'sign-in-providers.md',
  },
  {
    name: 'an adapter of the operator',
    create: createCustom,
    ...ofProvider('custom'),
    label: () => 'custom',
    endpoints: ['/users', '/users/{objectId}'],
    hooks: ['useUnlinkIdentity', 'useRestoreIdentity'],
    page: 'auth-adapters.md',
  },
]

async function createOwner() {
  const name = `owner-${randomUUID()}`
  const email = `${name}@example.com`
  const user = await server.signUp(name)
  await server.call('PUT', `/users/${user.objectId}`, { email }, { master: true })
  await server.call('PUT', `/users/${user.objectId}`, { emailVerified: true }, { master: true })
  return { ...user, name, email }
}

const countMails = async (email: string) => (await listMails(server, email)).length

const listed = async (token: string) => (await own(token, '/auth/signInMethods')).body as unknown as Listed
const actionsOf = async (token: string) =>
  ((await own(token, '/auth/activity')).body.results as { action: string }[]).map(({ action }) => action)

describe.each(methods)('$name', ({ create, find, label, path, actions, endpoints, hooks, page }) => {
  test('is added, listed, used, removed and restored; recorded in activity and mails', async () => {
    const owner = await createOwner()
    const held = create()
    const before = await countMails(owner.email)
    const added = await held.add(owner.token)
    expect(added.status, added.text).toBeLessThan(300)
    expect(await actionsOf(owner.token)).toContain(actions.added)
    expect(await countMails(owner.email)).toBe(before + 1)

    server.clock.forward(60_000)
    const signedIn = await held.signIn()
    expect(signedIn.body.objectId, signedIn.text).toBe(owner.objectId)
    const entry = find(await listed(owner.token)) ?? {}
    expect(label(entry)).toBeTruthy()
    expect(entry.lastUsedAt).toBeTruthy()
    const { text } = await own(owner.token, '/auth/export')
    expect(find(JSON.parse(text).signInMethods as Listed)).toEqual(entry)

    const mails = await countMails(owner.email)
    const removed = await own(owner.token, path(entry), 'DELETE')
    expect(removed.status, removed.text).toBe(200)
    expect(find(await listed(owner.token))).toBeUndefined()
    expect(await actionsOf(owner.token)).toContain(actions.removed)
    expect(await countMails(owner.email)).toBe(mails + 1)
    expect(removed.body.undoUntil).toBeTruthy()
    const restored = await own(owner.token, `${path(entry)}/restore`, 'POST', {})
    expect(restored.status, restored.text).toBe(200)
    expect(label(find(await listed(owner.token)) ?? {})).toBe(label(entry))
    expect((await held.signIn()).body.objectId).toBe(owner.objectId)
    expect((await actionsOf(owner.token)).filter((action) => action !== 'signIn')[0]).toMatch(/^(restore|link)/)
    expect(await countMails(owner.email)).toBe(mails + 2)
  })

  test('the undo of its removal is for its owner, after a recent proof, once, and not where somebody else has it', async () => {
    const [owner, other] = [await createOwner(), await createOwner()]
    const held = create()
    await held.add(owner.token)
    server.clock.forward(16 * 60_000)
    const logIn = async ({ name }: { name: string }) =>
      String((await guest('/login', { username: name, password: `${name} password` })).body.sessionToken)
    const token = await logIn(owner)
    const restore = async (by: string) => {
      const { status, body } = await own(by, `${at}/restore`, 'POST', {})
      return [status, body.reason]
    }
    const at = path(find(await listed(token)) ?? {})
    expect((await own(token, at, 'DELETE')).status).toBe(200)
    expect(await restore(owner.token)).toEqual([403, 'reauthenticationRequired'])
    const foreign = await logIn(other)
    expect(await restore(foreign)).toEqual([404, expect.stringMatching(/RestoreExpired$/)])
    const answers = await Promise.all(Array.from({ length: 5 }, () => restore(token)))
    expect(answers.map(([status]) => status).sort()).toEqual([200, 404, 404, 404, 404])
    expect(await restore(token)).toEqual([404, expect.stringMatching(/RestoreExpired$/)])

    expect((await own(token, at, 'DELETE')).status).toBe(200)
    const taken = await held.add(foreign)
    expect(taken.status, taken.text).toBeLessThan(300)
    expect(await restore(token)).toEqual([409, expect.stringMatching(/^(accountAlreadyLinked|passkeyTaken)$/)])
    expect(find(await listed(token))).toBeUndefined()
    expect((await held.signIn()).body.objectId).toBe(other.objectId)
  })

  test('moves with a merge that it has proven', async () => {
    const [owner, other] = [await createOwner(), await createOwner()]
    const held = create()
    await held.add(other.token)
    const { sessionToken } = (await held.signIn()).body
    const preview = await own(owner.token, '/auth/merges', 'POST', { sessionToken })
    expect(preview.status, preview.text).toBe(201)
    expect((await own(owner.token, `/auth/merges/${preview.body.objectId}`, 'POST', {})).status).toBe(200)
    expect(find(await listed(owner.token))).toBeTruthy()
    expect((await held.signIn()).body.objectId).toBe(owner.objectId)
  })

  test('does not sign in if the operator has switched it off', async () => {
    const held = create()
    await held.add((await createOwner()).token)
    const { signIn } = server.context.config
    const { methods: kept } = signIn
    Object.assign(signIn, { methods: ['password'] })
    try {
      const { status, body } = await held.begin()
      expect([status, body.reason]).toEqual([403, 'signInMethodOff'])
    } finally {
      Object.assign(signIn, { methods: kept })
    }
    expect((await held.begin()).status).toBeLessThan(300)
  })

  test('is never removed as the last one', async () => {
    const owner = await createOwner()
    const held = create()
    await held.add(owner.token)
    await server.call('PUT', `/users/${owner.objectId}`, { email: null }, { master: true })
    await server.context.db.query(sql`update "_User" set "_password_hash" = null where "objectId" = ${owner.objectId}`)
    const token = String((await held.signIn()).body.sessionToken)
    const last = await own(token, path(find(await listed(token)) ?? {}), 'DELETE')
    expect([last.status, last.body.reason]).toEqual([403, 'lastSignInMethod'])
  })

  test('is in the API description, in the typed client and in the docs', async () => {
    const description = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: object }
    for (const endpoint of endpoints)
      expect(
        Object.keys(description.paths).some((given) => given.endsWith(endpoint)),
        endpoint,
      ).toBe(true)
    const client = await readFile(
      new URL('../../../react/src/__snapshots__/exports.test.ts.snap', import.meta.url),
      'utf8',
    )
    for (const hook of hooks) expect(client).toContain(hook)
    const docs = new URL('../../../../docs/', import.meta.url)
    expect(await readFile(new URL('sign-in-methods.md', docs), 'utf8')).toContain(page)
    expect((await readFile(new URL(page, docs), 'utf8')).length).toBeGreaterThan(500)
  })
})

test('a password: each change notifies the owner', async () => {
  const owner = await createOwner()
  const before = await countMails(owner.email)
  const input = { currentPassword: `${owner.name} password`, newPassword: 'another long password' }
  const changed = await own(owner.token, '/changePassword', 'POST', input)
  expect(changed.status, changed.text).toBe(200)
  expect(await countMails(owner.email)).toBe(before + 1)
  const token = String(changed.body.sessionToken)
  const put = await own(token, `/users/${owner.objectId}`, 'PUT', { password: 'a third long password' })
  expect(put.status, put.text).toBe(200)
  expect(await countMails(owner.email)).toBe(before + 2)
})
