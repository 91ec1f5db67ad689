// @vitest-environment node
import { verifyMessage } from 'viem'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createMemory } from '../../testing/createMemory.ts'
import { createPage } from '../../testing/createPage.ts'
import { connected, createWalletPages } from '../../testing/createWalletPages.ts'
import { failure } from '../../testing/failure.ts'
import { startCounterpart } from '../../testing/startCounterpart.ts'
import { announceTestWallet } from '../../testWallet/announceTestWallet.ts'
import { createTestWallet } from '../../testWallet/createTestWallet.ts'
import { createClient } from '../setup/createClient.ts'
import { createDemoConnector } from './connectors/createDemoConnector.ts'
import { createInjectedConnector } from './connectors/createInjectedConnector.ts'
import { createNetworkConnector } from './connectors/createNetworkConnector.ts'
import { connectWallet, disconnectWallet } from './connectWallet.ts'
import { signMessage } from './signMessage.ts'
import { startWallet } from './startWallet.ts'
import { addChain, switchChain } from './switchChain.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const { open, reload } = createWalletPages(vi.stubGlobal)

describe('connecting', () => {
  test('R12, D7: without a server a wallet is connected, and account, chain, connector and provider are there', async () => {
    const { wallet, client, seen } = await open({ chainId: 10 })
    const state = await connectWallet(client)
    expect(seen).toEqual(['connecting', 'connected'])
    expect(state).toBe(client.wallet.get())
    expect(state).toMatchObject({
      account: wallet.addresses[0],
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
    expect(connected(client).account).toBe(wallet.addresses[1])
    await wallet.switchChain(137)
    expect(connected(client).chainId).toBe(137)
  })

  test('R12: a wallet that is locked, or takes its permission back, is disconnected; unlocked it is back', async () => {
    const { wallet, client } = await open()
    await connectWallet(client)
    await wallet.lock()
    expect(client.wallet.get()).toEqual({ status: 'disconnected' })
    await wallet.unlock()
    expect(connected(client).account).toBe(wallet.addresses[0])
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
    expect(connected(client).account).toBe(other.addresses[0])
    await wallet.switchAccount(1)
    expect(connected(client).account).toBe(other.addresses[0])
  })

  test('R12: events of a former wallet are ignored', async () => {
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
  test('S23: a second click shares the prompt, another wallet is rejected during it', async () => {
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

  test('S23: a late result of a canceled prompt is dropped', async () => {
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

  test('R16: -32002 is shown as pending and never sent again; accepting in the wallet connects', async () => {
    const { wallet, client } = await open()
    wallet.leavePending()
    const connecting = connectWallet(client)
    await vi.waitFor(() => expect(client.wallet.get()).toMatchObject({ status: 'connecting', pending: true }), {
      timeout: 60_000,
    })
    await wallet.approve()
    expect(await connecting).toMatchObject({ account: wallet.addresses[0] })
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
    expect(connected(again.client).account).toBe(wallet.addresses[0])
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

  test('S23: a wallet that fails or shares no account any more is disconnected without a prompt', async () => {
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
    expect(connected(again.client).account).toBe(other.addresses[0])
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
    expect(connected(client).account).toBe(wallet.addresses[1])
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
