// @vitest-environment node
import type { CountersignError } from '@countersign/protocol'
import { verifyMessage } from 'viem'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createMemory } from '../../testing/createMemory.ts'
import { createPage } from '../../testing/createPage.ts'
import { startCounterpart } from '../../testing/startCounterpart.ts'
import { announceTestWallet } from '../../testWallet/announceTestWallet.ts'
import { createTestWallet } from '../../testWallet/createTestWallet.ts'
import type { TestWalletOptions } from '../../testWallet/TestWallet.ts'
import { connectWallet, disconnectWallet } from '../actions/wallet/connectWallet.ts'
import { signMessage } from '../actions/wallet/signMessage.ts'
import { startWallet } from '../actions/wallet/startWallet.ts'
import { addChain, switchChain } from '../actions/wallet/switchChain.ts'
import type { Client, ClientOptions } from '../Client.ts'
import { createClient } from '../createClient.ts'
import { createDemoConnector } from './connectors/createDemoConnector.ts'
import { createInjectedConnector } from './connectors/createInjectedConnector.ts'
import { createNetworkConnector } from './connectors/createNetworkConnector.ts'
import type { WalletState } from './WalletState.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A page with a wallet in it, and a client without a server (D7). */
async function open(options: TestWalletOptions = {}, clientOptions: ClientOptions = {}) {
  const page = createPage(vi.stubGlobal)
  const wallet = announceTestWallet(await createTestWallet(options), page)
  const client = createClient({ throwOnError: true, ...clientOptions })
  return { page, wallet, client, seen: watch(client) }
}

function watch(client: Client): string[] {
  const seen: string[] = []
  client.internal.wallet.subscribe(() => seen.push(client.wallet.get().status))
  return seen
}

function connected(client: Client): Extract<WalletState, { status: 'connected' }> {
  const state = client.wallet.get()
  if (state.status !== 'connected') return expect.fail(`it is ${state.status}`)
  return state
}

async function failure(promise: Promise<unknown>): Promise<CountersignError> {
  return promise.then(
    () => expect.fail('it should have failed'),
    (error: CountersignError) => error,
  )
}

const lower = (address: string | undefined) => address?.toLowerCase()

/** A reload: the same storage and the same wallet, and nothing else. */
function reload(page: Window, clientOptions: ClientOptions = {}) {
  const next = createPage(
    vi.stubGlobal,
    'http://app.test',
    page.localStorage as unknown as ReturnType<typeof createMemory>,
  )
  const client = createClient({ throwOnError: true, ...clientOptions })
  return { page: next, client, seen: watch(client) }
}

describe('connecting', () => {
  test('R12, D7: without a server a wallet is connected, and account, chain, connector and provider are there', async () => {
    const { wallet, client, seen } = await open({ chainId: 10 })
    const state = await connectWallet(client)
    expect(seen).toEqual(['connecting', 'connected'])
    expect(state).toBe(client.wallet.get())
    expect(state).toMatchObject({
      account: lower(wallet.addresses[0]),
      chainId: 10,
      connector: { name: 'Test Wallet' },
    })
    expect(await state?.provider?.request({ method: 'eth_chainId' })).toBe('0xa')
    expect(client.session.get()).toEqual({ status: 'undefined' })
  })

  test('R12: changes of account and chain are taken over', async () => {
    const { wallet, client } = await open()
    await connectWallet(client)
    await wallet.switchAccount(1)
    expect(connected(client).account).toBe(lower(wallet.addresses[1]))
    await wallet.switchChain(137)
    expect(connected(client).chainId).toBe(137)
  })

  test('R12: a wallet that is locked, or takes its permission back, is disconnected; unlocked it is back', async () => {
    const { wallet, client } = await open()
    await connectWallet(client)
    await wallet.lock()
    expect(client.wallet.get()).toEqual({ status: 'disconnected' })
    await wallet.unlock()
    expect(connected(client).account).toBe(lower(wallet.addresses[0]))
    await wallet.revoke()
    expect(client.wallet.get().status).toBe('disconnected')
    expect(wallet.prompts()).toHaveLength(1)
  })

  test('R12: a wallet that goes away is reset with its reason, MetaMask’s passing loss of its node is not', async () => {
    const { wallet, client } = await open()
    await connectWallet(client)
    await wallet.loseChain()
    expect(client.wallet.get().status).toBe('connected')
    await wallet.disconnect()
    expect(client.wallet.get()).toMatchObject({
      status: 'disconnected',
      error: { message: 'The wallet has gone away.' },
    })
    await wallet.switchAccount(1)
    expect(client.wallet.get().status).toBe('disconnected')
  })

  test('R12, R16: a refusal is recorded with its code and is no connection', async () => {
    const { wallet, client, seen } = await open()
    wallet.rejectNext({ code: 4001, message: 'User rejected the request.', data: { why: 'test' } })
    const error = await failure(connectWallet(client))
    expect(error.cause).toMatchObject({ name: 'ProviderError', code: 4001, data: { why: 'test' } })
    expect(client.wallet.get()).toEqual({ status: 'disconnected', error })
    expect(seen).toEqual(['connecting', 'disconnected'])
    await connectWallet(client)
    expect(client.wallet.get()).not.toHaveProperty('error')
  })

  test('R15: a wallet without an account', async () => {
    const { client } = await open({ accounts: 0 })
    const error = await failure(connectWallet(client))
    expect(error.message).toBe('Cannot authenticate, no account returned from provider')
  })

  test('a wallet that was connected stays until the next one is, and while that fails', async () => {
    const { page, wallet, client } = await open()
    const other = announceTestWallet(await createTestWallet({ rdns: 'org.example.other', name: 'Other' }), page)
    await connectWallet(client, { connector: 'org.countersign.test-wallet' })
    other.rejectNext()
    await failure(connectWallet(client, { connector: 'org.example.other' }))
    expect(connected(client).connector.name).toBe('Test Wallet')
    await connectWallet(client, { connector: 'org.example.other' })
    expect(connected(client).account).toBe(lower(other.addresses[0]))
    await wallet.switchAccount(1)
    expect(connected(client).account).toBe(lower(other.addresses[0]))
  })

  test('R12: what a former wallet still says counts for nothing', async () => {
    const { client } = await open()
    const heard: ((payload: unknown) => void)[] = []
    const account = '0x00000000000000000000000000000000000000aa'
    // It knows no removeListener, as some do not.
    const provider = {
      request: async ({ method }: { method: string }) => (method === 'eth_chainId' ? '0x1' : [account]),
      on: (event: string, listener: (payload: unknown) => void) => event === 'accountsChanged' && heard.push(listener),
    }
    await connectWallet(client, { connector: createInjectedConnector({ id: 'former', getProvider: () => provider }) })
    const state = await connectWallet(client, { connector: 'org.countersign.test-wallet' })
    for (const listener of heard) listener([])
    expect(client.wallet.get()).toBe(state)
  })

  test('disconnecting forgets the wallet and has it take its permission back', async () => {
    const { page, wallet, client } = await open()
    await connectWallet(client)
    await disconnectWallet(client)
    expect(client.wallet.get()).toEqual({ status: 'disconnected' })
    expect(wallet.requests().at(-1)?.method).toBe('wallet_revokePermissions')
    const again = reload(page)
    announceTestWallet(wallet, again.page)
    wallet.clear()
    await startWallet(again.client)
    expect(again.seen).toEqual(['disconnected'])
    expect(wallet.requests()).toEqual([])
  })
})

describe('while the wallet asks', () => {
  test('S23: a second click shares the prompt, another wallet is refused meanwhile', async () => {
    const { page, wallet, client } = await open()
    const other = announceTestWallet(await createTestWallet({ rdns: 'org.example.other' }), page)
    wallet.hold()
    const [one, two] = [connectWallet(client), connectWallet(client)]
    const error = await failure(connectWallet(client, { connector: 'org.example.other' }))
    expect(error.message).toContain('already')
    await wallet.approve()
    expect(await one).toBe(await two)
    expect(wallet.prompts()).toHaveLength(1)
    expect(other.requests()).toEqual([])
  })

  test('S23: a late answer to a cancelled prompt is dropped', async () => {
    const { wallet, client, seen } = await open()
    wallet.hold()
    const controller = new AbortController()
    const waiting = failure(connectWallet(client, {}, { signal: controller.signal }))
    await vi.waitFor(() => expect(wallet.prompts()).toHaveLength(1), { timeout: 60_000 })
    controller.abort()
    expect((await waiting).message).toBe('The request was canceled.')
    expect(client.wallet.get()).toEqual({ status: 'disconnected' })
    await wallet.approve()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(client.wallet.get()).toEqual({ status: 'disconnected' })
    expect(seen).toEqual(['connecting', 'disconnected'])
  })

  test('a locked wallet shows as slow after three seconds', async () => {
    const { wallet, client } = await open()
    await wallet.lock()
    vi.useFakeTimers()
    const connecting = connectWallet(client)
    await vi.advanceTimersByTimeAsync(2900)
    expect(client.wallet.get()).toMatchObject({ status: 'connecting', slow: false })
    await vi.advanceTimersByTimeAsync(200)
    expect(client.wallet.get()).toMatchObject({ status: 'connecting', slow: true })
    await wallet.unlock()
    vi.useRealTimers()
    await connecting
    expect(client.wallet.get().status).toBe('connected')
  })

  test('R16: -32002 is shown as pending and never sent again; the answer in the wallet connects', async () => {
    const { wallet, client } = await open()
    wallet.leavePending()
    const connecting = connectWallet(client)
    await vi.waitFor(() => expect(client.wallet.get()).toMatchObject({ status: 'connecting', pending: true }), {
      timeout: 60_000,
    })
    await wallet.approve()
    expect(await connecting).toMatchObject({ account: lower(wallet.addresses[0]) })
    expect(wallet.requests().filter(({ method }) => method === 'eth_requestAccounts')).toHaveLength(1)
  })

  test('S23: pending ends when it is cancelled', async () => {
    const { wallet, client } = await open()
    wallet.leavePending()
    const controller = new AbortController()
    const waiting = failure(connectWallet(client, {}, { signal: controller.signal }))
    await vi.waitFor(() => expect(client.wallet.get()).toMatchObject({ pending: true }), { timeout: 60_000 })
    controller.abort()
    await waiting
    expect(client.wallet.get()).toEqual({ status: 'disconnected' })
  })
})

describe('reload', () => {
  test('S23: the wallet is back without a prompt, and never shows as disconnected in between', async () => {
    const { page, wallet, client } = await open()
    await connectWallet(client)
    wallet.clear()
    const again = reload(page)
    expect(again.client.wallet.get()).toEqual({ status: 'reconnecting' })
    const started = startWallet(again.client)
    expect(again.client.wallet.get()).toEqual({ status: 'reconnecting' })
    await new Promise((resolve) => setTimeout(resolve, 100))
    // It announces itself late.
    announceTestWallet(wallet, again.page)
    await started
    expect(connected(again.client).account).toBe(lower(wallet.addresses[0]))
    expect(new Set(again.seen)).toEqual(new Set(['reconnecting', 'connected']))
    expect(wallet.prompts()).toEqual([])
    expect(wallet.requests().map(({ method }) => method)).not.toContain('eth_requestAccounts')
  })

  test('R14: a wallet that does not come is given up after 3000 ms', async () => {
    const { page, client } = await open()
    await connectWallet(client)
    vi.useFakeTimers()
    const again = reload(page)
    const started = startWallet(again.client)
    await vi.advanceTimersByTimeAsync(2900)
    expect(again.client.wallet.get().status).toBe('reconnecting')
    await vi.advanceTimersByTimeAsync(200)
    await started
    expect(again.client.wallet.get()).toEqual({ status: 'disconnected' })
  })

  test('S23: one that no longer shares an account, or fails, is disconnected and not asked', async () => {
    const { page, wallet, client } = await open()
    await connectWallet(client)
    await wallet.revoke()
    wallet.clear()
    const again = reload(page)
    announceTestWallet(wallet, again.page)
    await startWallet(again.client)
    expect(again.client.wallet.get()).toEqual({ status: 'disconnected' })
    expect(wallet.prompts()).toEqual([])
  })

  test('a click during the reconnect wins', async () => {
    const { page, client } = await open()
    await connectWallet(client)
    const again = reload(page)
    const other = announceTestWallet(await createTestWallet({ rdns: 'org.example.other' }), again.page)
    const started = startWallet(again.client)
    await connectWallet(again.client, { connector: 'org.example.other' })
    await started
    expect(connected(again.client).account).toBe(lower(other.addresses[0]))
  })

  test('S23: looking at the wallet, a change of chain and coming back to the page ask nothing', async () => {
    const { page, wallet, client } = await open()
    await connectWallet(client)
    wallet.clear()
    const again = reload(page)
    announceTestWallet(wallet, again.page)
    again.client.wallet.subscribe(() => undefined)
    await vi.waitFor(() => expect(again.client.wallet.get().status).toBe('connected'), { timeout: 60_000 })
    await wallet.switchChain(10)
    document.dispatchEvent(new Event('visibilitychange'))
    page.dispatchEvent(new Event('focus'))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(wallet.prompts()).toEqual([])
  })
})

describe('which wallet', () => {
  test('R13: a wallet that comes late appears in the list by itself', async () => {
    const page = createPage(vi.stubGlobal)
    const client = createClient()
    const names: string[][] = []
    client.connectors.subscribe(() => names.push(client.connectors.get().map(({ name }) => name)))
    expect(client.connectors.get()).toEqual([])
    announceTestWallet(await createTestWallet({ name: 'First' }), page)
    const late = announceTestWallet(
      await createTestWallet({ name: 'Late', rdns: 'org.example.late', announce: 'later' }),
      page,
    )
    await vi.waitFor(() => expect(names.at(-1)).toEqual(['First']), { timeout: 60_000 })
    await late.announce()
    expect(names.at(-1)).toEqual(['First', 'Late'])
    expect(late.requests()).toEqual([])
  })

  test('R14: window.ethereum is waited for, 3000 ms by default', async () => {
    const page = createPage(vi.stubGlobal)
    const client = createClient({ throwOnError: true })
    const wallet = await createTestWallet({ evm: 'legacy' })
    vi.useFakeTimers()
    const connecting = connectWallet(client)
    await vi.advanceTimersByTimeAsync(2000)
    announceTestWallet(wallet, page)
    await vi.advanceTimersByTimeAsync(500)
    vi.useRealTimers()
    expect(await connecting).toMatchObject({ connector: { id: 'injected', name: 'Browser wallet' }, chainId: 1 })
  })

  test('R14, R15: none in time', async () => {
    createPage(vi.stubGlobal)
    vi.useFakeTimers()
    const client = createClient({ throwOnError: true })
    const waiting = failure(connectWallet(client))
    await vi.advanceTimersByTimeAsync(2999)
    expect(client.wallet.get().status).not.toBe('connected')
    await vi.advanceTimersByTimeAsync(100)
    const error = await waiting
    expect(error.message).toBe('Missing web3 instance, make sure to call enableWeb3 or authenticate')
    expect(error.details).toContain('3000 ms')
    expect(client.wallet.get()).toEqual({ status: 'disconnected', error })
    const own = createInjectedConnector({ timeout: 100 })
    const soon = failure(connectWallet(client, { connector: own }))
    await vi.advanceTimersByTimeAsync(200)
    expect((await soon).details).toContain('100 ms')
  })

  test.each(['walletconnect', 'wc', 'network', 'magicLink', 'web3Auth', 'demo'])(
    'R13: the alias %s of a connector that is not set up says how to',
    async (connector) => {
      createPage(vi.stubGlobal)
      const error = await failure(connectWallet(createClient({ throwOnError: true }), { connector }))
      expect(error).toMatchObject({ name: 'ValidationError', details: expect.stringContaining('createClient') })
    },
  )

  test('R13: Phantom by its alias, and its words where it is missing', async () => {
    const { wallet, client } = await open({ name: 'Phantom', evm: 'none', solana: 'signMessage' })
    expect(await connectWallet(client, { connector: 'phantom' })).toMatchObject({
      account: wallet.solanaAddresses[0],
      chainId: 'mainnet',
      connector: { kind: 'solana', namespace: 'solana' },
    })
    createPage(vi.stubGlobal)
    vi.useFakeTimers()
    const missing = failure(connectWallet(createClient({ throwOnError: true }), { connector: 'phantom' }))
    await vi.advanceTimersByTimeAsync(3100)
    expect((await missing).message).toBe('Phantom wallet not available')
  })

  test('R13: a custom connector, and one that is none', async () => {
    createPage(vi.stubGlobal)
    const wallet = await createTestWallet()
    const client = createClient({ throwOnError: true })
    const provider = {
      async request({ method, params }: { method: string; params?: readonly unknown[] }) {
        const { result, error } = await wallet.answer({ method, params })
        if (error) throw error
        return result
      },
    }
    const connector = createInjectedConnector({ id: 'ours', name: 'Ours', getProvider: () => provider })
    expect(await connectWallet(client, { connector })).toMatchObject({ account: lower(wallet.addresses[0]) })
    expect(await failure(connectWallet(client, { connector: {} as never }))).toMatchObject({ name: 'ValidationError' })
    expect(await failure(connectWallet(client, { chainId: '1' as never }))).toMatchObject({ name: 'ValidationError' })
  })
})

describe('hostile announcements', () => {
  const announce = (page: Window, detail: unknown) =>
    page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  const request = async () => []

  test('S24: a copied rdns never replaces the first, and is not reconnected in its name', async () => {
    const { page, wallet, client } = await open({ rdns: 'io.metamask', name: 'MetaMask' })
    await connectWallet(client)
    const calls: unknown[] = []
    const provider = { request: async (call: unknown) => calls.push(call) }
    announce(page, { info: { uuid: 'another', rdns: 'io.metamask', name: 'MetaMask', icon: '' }, provider })
    const ids = client.connectors.get().map(({ id }) => id)
    expect(ids).toEqual(['io.metamask', 'io.metamask#another'])
    await connectWallet(client, { connector: 'io.metamask' })
    expect(connected(client).account).toBe(lower(wallet.addresses[0]))
    expect(calls).toEqual([])
  })

  test('S24: on reload one that claims the same rdns is not taken for the one that was connected', async () => {
    const { page, wallet, client } = await open({ rdns: 'io.metamask' })
    await connectWallet(client)
    const again = reload(page)
    const calls: unknown[] = []
    const provider = { request: async (call: unknown) => calls.push(call) }
    announceTestWallet(wallet, again.page)
    await new Promise((resolve) => setTimeout(resolve, 10))
    const info = { uuid: 'another', rdns: 'io.metamask', name: 'MetaMask', icon: '' }
    again.page.addEventListener('eip6963:requestProvider', () => announce(again.page, { info, provider }))
    await startWallet(again.client)
    expect(again.client.wallet.get()).toEqual({ status: 'disconnected' })
    expect(calls).toEqual([])
  })

  test('S24: a copied uuid is not listened to', async () => {
    const { page, client, wallet } = await open()
    await startWallet(client)
    await vi.waitFor(() => expect(client.connectors.get()).toHaveLength(1), { timeout: 60_000 })
    announce(page, { info: { ...wallet.info, name: 'Better wallet' }, provider: { request } })
    expect(client.connectors.get().map(({ name }) => name)).toEqual(['Test Wallet'])
  })

  test.each([
    ['javascript:alert(1)', undefined],
    ['https://evil.example/track.png', undefined],
    ['data:text/html,<script>alert(1)</script>', undefined],
    ['<svg onload=alert(1)>', undefined],
    [7, undefined],
    ['data:image/svg+xml,<svg onload="alert(1)"/>', 'data:image/svg+xml,<svg onload="alert(1)"/>'],
    ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
  ])('S24: of the icon %s only an image is kept', async (icon, kept) => {
    const page = createPage(vi.stubGlobal)
    const client = createClient()
    await startWallet(client)
    announce(page, { info: { uuid: 'u', rdns: 'org.example', name: 'W', icon }, provider: { request } })
    expect(client.connectors.get()[0]).toMatchObject({ id: 'org.example' })
    expect(client.connectors.get()[0]?.icon).toBe(kept)
  })

  test('S24: what is no announcement is none, and nothing of it is thrown', async () => {
    const page = createPage(vi.stubGlobal)
    const client = createClient()
    await startWallet(client)
    const throwing = {
      get info() {
        throw new Error('boo')
      },
    }
    const info = { uuid: 'u', rdns: 'org.example', name: 'W', icon: '' }
    for (const detail of [undefined, null, 7, {}, throwing, { info }, { info, provider: {} }]) announce(page, detail)
    announce(page, { info: { ...info, rdns: 7 }, provider: { request } })
    expect(client.connectors.get()).toEqual([])
    announce(page, { info: { ...info, name: 'Meta\u202eksaM\n'.repeat(50) }, provider: { request } })
    expect(client.connectors.get()[0]?.name).toMatch(/^[\w]{1,64}$/)
    for (let count = 0; count < 100; count++) {
      announce(page, { info: { ...info, uuid: `u${count}`, rdns: `org.example.n${count}` }, provider: { request } })
    }
    expect(client.connectors.get().length).toBeLessThanOrEqual(50)
  })

  test('S24: isMetaMask is nobody’s word: the legacy wallet is called what it is', async () => {
    const { page, client } = await open({ evm: 'legacy' })
    await vi.waitFor(() => expect(page.ethereum).toBeDefined(), { timeout: 60_000 })
    Object.assign(page.ethereum as object, { isMetaMask: true })
    await startWallet(client)
    await vi.waitFor(() => expect(client.connectors.get()[0]?.name).toBe('Browser wallet'), { timeout: 60_000 })
  })
})

describe('signing and chains', () => {
  test('D7, R15: a text is signed by the account that is shown', async () => {
    const { wallet, client } = await open()
    const missing = await failure(signMessage(client, { message: 'hello' }))
    expect(missing.message).toBe('Missing web3 instance, make sure to call enableWeb3 or authenticate')
    await connectWallet(client)
    const signature = (await signMessage(client, { message: '0xhello' })) as `0x${string}`
    const address = wallet.addresses[0] as `0x${string}`
    expect(await verifyMessage({ address, message: '0xhello', signature })).toBe(true)
    expect(await failure(signMessage(client, { message: 7 as never }))).toMatchObject({ name: 'ValidationError' })
  })

  test('S22: a flip of the account while it signs refuses the result', async () => {
    const { wallet, client } = await open()
    await connectWallet(client)
    wallet.switchAccountWhileSigning(1)
    const error = await failure(signMessage(client, { message: 'hello' }))
    expect(error.message).toBe('The account in the wallet changed while signing.')
    expect(connected(client).account).toBe(lower(wallet.addresses[1]))
    expect(await signMessage(client, { message: 'hello' })).toMatch(/^0x/)
  })

  const base = {
    id: 8453,
    name: 'Base',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: ['https://rpc.example.org'],
  }

  test('R12, R16: a chain that the wallet does not know (4902) is added, if the client knows it', async () => {
    const { wallet, client } = await open({}, { chains: [base] })
    await connectWallet(client)
    await switchChain(client, { chainId: 8453 })
    expect(connected(client).chainId).toBe(8453)
    const error = await failure(switchChain(client, { chainId: 424242 }))
    expect(error.cause).toMatchObject({ code: 4902 })
    wallet.rejectNext()
    expect((await failure(switchChain(client, { chainId: 1 }))).cause).toMatchObject({ code: 4001 })
    expect(connected(client).chainId).toBe(8453)
    await addChain(client, { ...base, id: 84532 })
    expect(connected(client).chainId).toBe(84532)
    expect(await failure(addChain(client, { ...base, rpcUrls: [] }))).toMatchObject({ name: 'ValidationError' })
    expect(await failure(switchChain(client, { chainId: 0 }))).toMatchObject({ name: 'ValidationError' })
  })

  test('R13, R16: the connector network reads, has no account and signs nothing', async () => {
    createPage(vi.stubGlobal)
    const node = await startCounterpart(({ body }) => {
      const { method, id } = JSON.parse(body)
      if (method === 'eth_blockNumber') return { body: { jsonrpc: '2.0', id, result: '0x10' } }
      return { body: { jsonrpc: '2.0', id, error: { code: -32000, message: 'execution reverted', data: '0x08c3' } } }
    })
    const client = createClient({ throwOnError: true })
    const connector = createNetworkConnector({ chains: [{ id: 5, rpcUrls: [node.serverUrl] }] })
    const state = await connectWallet(client, { connector })
    expect(node.arrivals).toEqual([])
    expect(state).toMatchObject({ accounts: [], chainId: 5 })
    expect(state?.account).toBeUndefined()
    expect(await state?.provider?.request({ method: 'eth_blockNumber' })).toBe('0x10')
    await expect(state?.provider?.request({ method: 'eth_call', params: [{}] })).rejects.toMatchObject({
      code: -32000,
      data: '0x08c3',
    })
    await expect(state?.provider?.request({ method: 'personal_sign' })).rejects.toMatchObject({ code: 4200 })
    expect((await failure(signMessage(client, { message: 'x' }))).message).toContain('Missing web3')
    expect(await failure(connectWallet(client, { connector, chainId: 7 }))).toMatchObject({ name: 'ValidationError' })
    await node.close()
  })

  test('D9: the demo wallet is offered only on request, is plainly named and keeps its key', async () => {
    createPage(vi.stubGlobal)
    const storage = createMemory()
    const plain = createClient()
    await startWallet(plain)
    expect(plain.connectors.get()).toEqual([])
    const client = createClient({ throwOnError: true, demoWallet: true, storage })
    await startWallet(client)
    expect(client.connectors.get()).toMatchObject([{ id: 'demo', name: 'Demo wallet' }])
    expect([...storage.items.keys()]).toEqual([])
    const state = await connectWallet(client, { connector: 'demo' })
    const signature = (await signMessage(client, { message: 'hi' })) as `0x${string}`
    const address = state?.account as `0x${string}`
    expect(await verifyMessage({ address, message: 'hi', signature })).toBe(true)
    const again = createClient({ throwOnError: true, connectors: [createDemoConnector({ storage })], storage })
    await startWallet(again)
    expect(connected(again).account).toBe(address)
  })
})
