import { generateKeyPairSync, sign } from 'node:crypto'
import http from 'node:http'
import { createRequire } from 'node:module'
import { binToBase58 } from '@bitauth/libauth'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { stayOnThisMachine } from '../../testing/stayOnThisMachine.ts'

/** Types used here: the package's own types miss half of them. */
type MoralisUser = {
  id: string
  get(field: string): unknown
  getUsername(): string
  getSessionToken(): string
  fetch(): Promise<MoralisUser>
  set(field: string, value: unknown): void
  save(): Promise<MoralisUser>
}

type Moralis = {
  start(options: { serverUrl: string; appId: string }): Promise<void>
  authenticate(options: object): Promise<MoralisUser>
  enableWeb3(options: object): Promise<unknown>
  link(address: string): Promise<MoralisUser>
  unlink(address: string): Promise<MoralisUser>
  AbstractWeb3Connector: new () => object
  User: { enableUnsafeCurrentUser(): void; current(): MoralisUser | null; logOut(): Promise<void> }
  Cloud: { run(name: string, parameters?: object): Promise<unknown> }
  Session: { current(): Promise<{ get(field: string): unknown }> }
}

const Moralis: Moralis = createRequire(import.meta.url)('moralis-v1/node')

let server: TestServer
let isInBrowser = true

beforeAll(async () => {
  stayOnThisMachine()
  server = await createTestServer({ olderSignIn: { messages: ['Moralis Authentication', 'Come in'] } })
  // Like a browser, which names the page with every request. The package for Node does not.
  const { request } = http
  vi.spyOn(http, 'request').mockImplementation(((options: http.RequestOptions, ...rest: unknown[]) => {
    const headers = { ...options.headers, ...(isInBrowser && { Origin: new URL(server.context.publicUrl).origin }) }
    return Reflect.apply(request, http, [{ ...options, headers }, ...rest])
  }) as typeof http.request)
  await Moralis.start({ serverUrl: server.serverUrl, appId: server.appId })
  Moralis.User.enableUnsafeCurrentUser()
})

afterAll(async () => {
  vi.restoreAllMocks()
  await server.stop()
})

/** A wallet as the package takes one: a connector whose EIP-1193 provider signs with a true key. */
function createWallet() {
  const key = privateKeyToAccount(generatePrivateKey())
  const signed: string[] = []
  const provider = {
    async request({ method, params = [] }: { method: string; params?: unknown[] }) {
      if (method === 'eth_chainId') return '0x1'
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [key.address]
      if (method !== 'personal_sign') throw new Error(`${method} is not for this wallet`)
      const raw = params[0] as `0x${string}`
      signed.push(Buffer.from(raw.slice(2), 'hex').toString('utf8'))
      return key.signMessage({ message: { raw } })
    },
  }
  class Connector extends Moralis.AbstractWeb3Connector {
    type = 'test wallet'
    network = 'evm'
    activate = async () => ({ provider, chainId: '0x1', account: key.address })
  }
  return { address: key.address.toLowerCase(), signed, connector: Connector }
}

test('R19: the older client authenticates: signs up, signs in, and reads itself back', async () => {
  const wallet = createWallet()
  const user = await Moralis.authenticate({ connector: wallet.connector })
  expect([user.get('ethAddress'), user.get('accounts')]).toEqual([wallet.address, [wallet.address]])
  expect(user.getUsername()).toMatch(/^[a-z]+-[a-z]+-\d+$/)
  expect(user.getSessionToken()).toMatch(/^r:/)
  expect(wallet.signed).toEqual([
    expect.stringMatching(
      new RegExp(`^Moralis Authentication\\n\\nId: ${server.appId}:\\S+Z to sign in to Countersign at localhost:`),
    ),
  ])
  expect((await Moralis.Session.current()).get('createdWith')).toEqual({ action: 'login', authProvider: 'moralisEth' })

  const token = user.getSessionToken()
  user.set('nick', 'Nick')
  await user.save()
  await user.fetch()
  expect([user.get('nick'), user.getSessionToken()]).toEqual(['Nick', token])

  // The package ends the session that it holds before it signs in again.
  const again = await Moralis.authenticate({ connector: wallet.connector, signingMessage: 'Come in' })
  expect([again.id, again.get('nick')]).toEqual([user.id, 'Nick'])
  expect(wallet.signed[1]).toMatch(/^Come in\n\nId: /)
  expect((await server.call('GET', '/users/me', undefined, { token })).body.code).toBe(209)
})

test('SEC-10: the older client is refused with words that the operator did not name', async () => {
  const wallet = createWallet()
  const words = 'Claim your airdrop at evil.example'
  await expect(Moralis.authenticate({ connector: wallet.connector, signingMessage: words })).rejects.toMatchObject({
    code: 101,
    message: expect.stringContaining('does not belong to this application'),
  })
  expect(wallet.signed[0]).toContain('(do not sign this on another site)')
})

test('the older client links and unlinks, and every wallet that stays is a sign-in method', async () => {
  const [first, second] = [createWallet(), createWallet()]
  const user = await Moralis.authenticate({ connector: first.connector })
  await Moralis.enableWeb3({ connector: second.connector })
  const linked = await Moralis.link(second.address)
  expect(second.signed).toEqual([
    expect.stringContaining(` to the account ${user.getUsername()} (${user.id}). Nonce: `),
  ])
  expect([linked.get('accounts'), linked.get('ethAddress')]).toEqual([[first.address, second.address], first.address])
  // A wallet that is linked is not asked to sign again.
  await Moralis.link(second.address)
  expect(second.signed).toHaveLength(1)

  const unlinked = await Moralis.unlink(first.address)
  expect([unlinked.get('accounts'), unlinked.get('ethAddress')]).toEqual([[second.address], second.address])
  await unlinked.fetch()
  expect([unlinked.get('accounts'), unlinked.get('ethAddress')]).toEqual([[second.address], second.address])
  expect((await Moralis.authenticate({ connector: second.connector })).id).toBe(user.id)
  await expect(Moralis.unlink(second.address)).rejects.toMatchObject({
    code: 119,
    message: expect.stringContaining('only sign-in method'),
  })
  expect((await Moralis.authenticate({ connector: second.connector })).id).toBe(user.id)
  expect((await Moralis.authenticate({ connector: first.connector })).id).not.toBe(user.id)
})

test('SEC-50: outside a browser the older client signs in and saves, and changes no sign-in method', async () => {
  isInBrowser = false
  try {
    const [first, second] = [createWallet(), createWallet()]
    const user = await Moralis.authenticate({ connector: first.connector })
    user.set('nick', 'Nick')
    expect((await user.save()).get('nick')).toBe('Nick')
    await Moralis.enableWeb3({ connector: second.connector })
    const confirm = { code: 119, message: expect.stringContaining('Confirm') }
    await expect(Moralis.link(second.address)).rejects.toMatchObject(confirm)
    expect((await Moralis.authenticate({ connector: first.connector })).id).toBe(user.id)
  } finally {
    isInBrowser = true
  }
})

test('D6: the older client cannot take the wallet of somebody else', async () => {
  const [owner, thief] = [createWallet(), createWallet()]
  const { id } = await Moralis.authenticate({ connector: owner.connector })
  await Moralis.authenticate({ connector: thief.connector })
  await Moralis.enableWeb3({ connector: owner.connector })
  await expect(Moralis.link(owner.address)).rejects.toMatchObject({ code: 208, message: 'this auth is already used' })
  await Moralis.enableWeb3({ connector: thief.connector })
  await expect(Moralis.unlink(owner.address)).rejects.toMatchObject({ code: 101 })
  await expect(Moralis.link(owner.address)).rejects.toMatchObject({ code: 101 })
  expect((await Moralis.authenticate({ connector: owner.connector })).id).toBe(id)
})

test('the older client signs in with a whole EIP-4361 message', async () => {
  const wallet = createWallet()
  const { message } = (await Moralis.Cloud.run('requestMessage', {
    address: wallet.address,
    chain: 1,
    networkType: 'evm',
  })) as { message: string }
  const user = await Moralis.authenticate({ connector: wallet.connector, signingMessage: message })
  expect(wallet.signed).toEqual([message])
  expect(user.get('ethAddress')).toBe(wallet.address)
  await expect(Moralis.Cloud.run('nothing')).rejects.toMatchObject({
    code: 141,
    message: 'Invalid function: "nothing"',
  })
})

test('R19: the older client authenticates with Solana', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const address = binToBase58(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
  const solana = {
    isPhantom: true,
    publicKey: { toString: () => address },
    async connect({ onlyIfTrusted = false } = {}) {
      if (onlyIfTrusted) throw new Error('User rejected the request.')
    },
    signMessage: async (bytes: Uint8Array) => ({ signature: sign(null, bytes, privateKey) }),
  }
  vi.stubGlobal('window', { solana })
  try {
    const user = await Moralis.authenticate({ type: 'sol' })
    expect([user.get('solAddress'), user.get('solAccounts')]).toEqual([address, [address]])
    const again = await Moralis.authenticate({ type: 'sol' })
    expect(again.id).toBe(user.id)
    expect((await Moralis.Session.current()).get('createdWith')).toEqual({
      action: 'login',
      authProvider: 'moralisSol',
    })
  } finally {
    vi.unstubAllGlobals()
  }
  await Moralis.User.logOut()
  expect(Moralis.User.current()).toBeNull()
})
