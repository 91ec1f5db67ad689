// @vitest-environment node
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createPage } from '../../testing/createPage.ts'
import { connected, createWalletPages } from '../../testing/createWalletPages.ts'
import { failure } from '../../testing/failure.ts'
import { announceTestWallet } from '../../testWallet/announceTestWallet.ts'
import { createTestWallet } from '../../testWallet/createTestWallet.ts'
import { createClient } from '../setup/createClient.ts'
import { createInjectedConnector } from './connectors/createInjectedConnector.ts'
import { connectWallet } from './connectWallet.ts'
import { startWallet } from './startWallet.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const { open, reload } = createWalletPages(vi.stubGlobal)

describe('choice of the wallet', () => {
  test('R13: a wallet that is announced late appears in the list', async () => {
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

  test('R14, R15: fails without a wallet in time', async () => {
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

  test('R13: accepts a custom connector, and rejects an invalid one', async () => {
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
    expect(await connectWallet(client, { connector })).toMatchObject({ account: wallet.addresses[0] })
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
    expect(connected(client).account).toBe(wallet.addresses[0])
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

  test('S24: ignores an invalid announcement without throwing', async () => {
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

  test('S24: isMetaMask is not trusted: the legacy wallet keeps its own name', async () => {
    const { page, client } = await open({ evm: 'legacy' })
    await vi.waitFor(() => expect(page.ethereum).toBeDefined(), { timeout: 60_000 })
    Object.assign(page.ethereum as object, { isMetaMask: true })
    await startWallet(client)
    await vi.waitFor(() => expect(client.connectors.get()[0]?.name).toBe('Browser wallet'), { timeout: 60_000 })
  })
})
