import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestProvider, type TestProvider } from '../../../testing/createTestProvider.ts'
import { startServer, type TestServer } from '../../../testing/startServer.ts'
import { createClient } from '../../setup/createClient.ts'
import { initialize } from '../../setup/initialize.ts'
import { connectWallet, disconnectWallet } from '../connectWallet.ts'
import { signInWithWallet } from '../signInWithWallet.ts'
import { createMagicLinkConnector } from './createMagicLinkConnector.ts'
import { createWalletConnectConnector } from './createWalletConnectConnector.ts'
import { createWeb3AuthConnector } from './createWeb3AuthConnector.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.remove())
beforeEach(() => {
  window.localStorage.clear()
  const page = window as unknown as Window & { happyDOM: { setURL(url: string): void } }
  page.happyDOM.setURL(`${server.origin}/`)
})

type Listener = (data?: unknown) => void

/** Web3Auth's SDK as a script: the parts of it that are used, over a wallet with true keys. */
function createScript(wallet: TestProvider) {
  const listeners = new Map<string, Listener>()
  const script = {
    made: [] as Record<string, unknown>[],
    calls: [] as string[],
    closes: false,
    stays: false,
    listeners,
  }
  class Web3Auth {
    connected = false
    provider: TestProvider | null = null
    constructor(options: Record<string, unknown>) {
      script.made.push(options)
    }
    async init() {
      script.calls.push('init')
      if (script.stays) await this.connect()
    }
    async connect() {
      script.calls.push('connect')
      if (script.closes) throw new Error('User closed the modal')
      this.connected = true
      this.provider = wallet
      return wallet
    }
    async logout() {
      script.calls.push('logout')
      this.connected = false
      this.provider = null
    }
    on(event: string, listener: Listener) {
      listeners.set(event, listener)
    }
    removeListener(event: string) {
      listeners.delete(event)
    }
  }
  return { ...script, script, load: async () => ({ Web3Auth }) }
}

async function open(wallet = createTestProvider(), stays = false) {
  const { script, load } = createScript(wallet)
  script.stays = stays
  const connector = createWeb3AuthConnector({ clientId: 'project', options: { uiConfig: { mode: 'dark' } }, load })
  const client = createClient({
    appId: server.appId,
    serverUrl: server.serverUrl,
    connectors: [connector],
    throwOnError: true,
  })
  await initialize(client)
  return { client, script, wallet }
}

test('R13: web3Auth signs in with the provider of its SDK, which is loaded on use', async () => {
  const { client, script, wallet } = await open()
  expect(script.made).toEqual([])
  const user = await signInWithWallet(client, { connector: 'web3Auth' })
  expect(user?.ethAddress).toBe(wallet.addresses[0]?.toLowerCase())
  expect(script.made).toEqual([
    { clientId: 'project', web3AuthNetwork: 'sapphire_mainnet', uiConfig: { mode: 'dark' } },
  ])
  expect(script.calls).toEqual(['init', 'connect'])
  await disconnectWallet(client)
  expect(script.calls.at(-1)).toBe('logout')
  expect(client.wallet.get().status).toBe('disconnected')
})

test('R16: a closed window of Web3Auth is a refusal, and the next click asks again', async () => {
  const { client, script } = await open()
  script.closes = true
  await expect(connectWallet(client, { connector: 'web3Auth' })).rejects.toMatchObject({
    message: 'User closed the modal',
    cause: { code: 4001 },
  })
  script.closes = false
  await connectWallet(client, { connector: 'web3Auth' })
  expect(script.calls).toEqual(['init', 'connect', 'connect'])
  expect(client.wallet.get()).toMatchObject({ status: 'connected', chainId: 1 })
})

test('Web3Auth is connected again on reload where its SDK still is, and ends where it ends', async () => {
  const wallet = createTestProvider()
  await connectWallet((await open(wallet)).client, { connector: 'web3Auth' })
  const again = await open(wallet, true)
  await expect.poll(() => again.client.wallet.get().status).toBe('connected')
  again.script.listeners.get('disconnected')?.()
  expect(again.client.wallet.get().status).toBe('disconnected')
})

// No SDK is installed here.
test.each([
  ['@walletconnect/ethereum-provider', createWalletConnectConnector({ projectId: 'p' })],
  ['magic-sdk', createMagicLinkConnector({ apiKey: 'k', email: 'ada@example.org' })],
  ['@web3auth/modal', createWeb3AuthConnector({ clientId: 'c' })],
])('R13: without the package %s the error names it', async (name, connector) => {
  const { client } = await open()
  await expect(connectWallet(client, { connector })).rejects.toMatchObject({
    message: `The package ${name} could not be loaded.`,
    details: expect.stringContaining(`npm install ${name}`),
  })
  expect(client.wallet.get()).toMatchObject({
    status: 'disconnected',
    error: { message: expect.stringContaining(name) },
  })
})

test('requires a connector’s settings when it is created', () => {
  expect(() => createWalletConnectConnector({ projectId: '' })).toThrow('WalletConnect requires projectId')
  expect(() => createMagicLinkConnector({ apiKey: '' })).toThrow('"apiKey" not provided')
  expect(() => createWeb3AuthConnector({ clientId: '' })).toThrow('"clientId" not provided')
})

test('a package of another shape is named too', async () => {
  const { client } = await open()
  const connector = createMagicLinkConnector({ apiKey: 'k', email: 'ada@example.org', load: async () => ({}) })
  await expect(connectWallet(client, { connector })).rejects.toThrow('The package magic-sdk has no export Magic.')
})
