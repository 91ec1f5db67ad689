// @vitest-environment happy-dom
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { type Abi, encodeFunctionData, getAddress, keccak256, namehash, parseAbi, stringToHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import { getNativeBalance, listTransfers } from '../../core/chain/data/chainActions.ts'
import { watchNfts, watchTransfers } from '../../core/chain/data/watchPages.ts'
import { createClient } from '../../core/setup/createClient.ts'
import { initialize } from '../../core/setup/initialize.ts'
import { connectWallet, disconnectWallet } from '../../core/wallet/connectWallet.ts'
import { signInWithWallet } from '../../core/wallet/signInWithWallet.ts'
import { createWire } from '../../testing/createWire.ts'
import { startChain, type TestChain } from '../../testing/startChain.ts'
import { startServer, type TestServer } from '../../testing/startServer.ts'
import { announceTestWallet } from '../../testWallet/announceTestWallet.ts'
import { createTestWallet } from '../../testWallet/createTestWallet.ts'
import { useRoles } from '../account/useRoles.ts'
import {
  useChains,
  useEnsAddress,
  useEnsName,
  useNativeBalance,
  useNfts,
  usePortfolio,
  useToken,
  useTokenBalances,
  useTokenPrice,
  useTransactions,
  useTransfers,
} from './useChainData.ts'

// Loading on first use takes time on a busy machine.
configure({ asyncUtilTimeout: 60_000 })

type Contract = { readonly address: string; readonly abi: Abi }

const ether = (amount: number) => BigInt(amount) * 10n ** 18n
const ada = '0x00000000000000000000000000000000000000ad'
const bob = '0x00000000000000000000000000000000000000b0'

let chain: TestChain
let server: TestServer
let gold: Contract
let usdc: Contract
let pictures: Contract

async function send({ address, abi }: Contract, functionName: string, ...args: unknown[]): Promise<string> {
  const data = encodeFunctionData({ abi, functionName, args })
  return (await chain.ask('eth_sendTransaction', [{ from: chain.rich, to: address, data }])) as string
}

/** Unused address, in a second try too. */
const newReceiver = () => `0x${Date.now().toString(16).padStart(40, '0')}`

async function untilIndexed(): Promise<void> {
  const head = Number(await chain.ask('eth_blockNumber'))
  await vi.waitFor(
    async () => {
      const { index } = (await server.asMaster('GET', '/chain/local')) as { index?: { status: string; block: number } }
      expect([index?.status, index?.block]).toEqual(['SYNCED', head])
    },
    { timeout: 60_000, interval: 50 },
  )
}

beforeAll(async () => {
  chain = await startChain()
  const deploy = (name: string, ...args: unknown[]) => chain.deploy(name, chain.rich, args)
  const multicall = await deploy('Multicall3')
  gold = await deploy('Token', 'Gold', 'GLD', 18)
  usdc = await deploy('Token', 'USD Coin', 'USDC', 6)
  pictures = await deploy('Pictures', 'Pictures', 'PIC')
  const weth = await deploy('Token', 'Wrapped Ether', 'WETH', 18)
  const factory = await deploy('PairFactory')
  const [registry, resolver] = [await deploy('NameRegistry'), await deploy('NameResolver')]

  await send(factory, 'createPair', gold.address, weth.address)
  const call = {
    to: factory.address,
    data: encodeFunctionData({ ...factory, functionName: 'getPair', args: [gold.address, weth.address] }),
  }
  const pair = `0x${String(await chain.ask('eth_call', [call, 'latest'])).slice(-40)}`
  await send(gold, 'mint', pair, ether(20_000))
  await send(weth, 'mint', pair, ether(10))
  await send({ address: pair, abi: parseAbi(['function sync()']) }, 'sync')

  const own = (parent: string, label: string) =>
    send(
      registry,
      'setSubnodeRecord',
      namehash(parent),
      keccak256(stringToHex(label)),
      chain.rich,
      resolver.address,
      0n,
    )
  for (const [parent, label] of [
    ['', 'eth'],
    ['', 'reverse'],
    ['reverse', 'addr'],
    ['eth', 'ada'],
    ['addr.reverse', ada.slice(2)],
  ] as const)
    await own(parent, label)
  await send(resolver, 'setAddr', namehash('ada.eth'), ada)
  await send(resolver, 'setName', namehash(`${ada.slice(2)}.addr.reverse`), 'ada.eth')
  await send(resolver, 'setText', namehash('ada.eth'), 'avatar', 'https://ada.example/me.png')

  await chain.give(ada, ether(3))
  await send(gold, 'mint', chain.rich, ether(100))
  for (const amount of [1, 2, 3]) await send(gold, 'transfer', ada, ether(amount))
  await send(usdc, 'mint', ada, 3_000_000n)
  for (const id of [1n, 2n, 3n]) await send(pictures, 'mint', ada, id, `data:application/json,{"name":"Picture ${id}"}`)

  const contracts = {
    multicall: multicall.address,
    ensRegistry: registry.address,
    wrapped: weth.address,
    v2: [{ name: 'uniswapv2', factory: factory.address }],
  }
  const index = { mode: 'all', addresses: [ada], transactions: true, startBlock: 0, pollInterval: 50 }
  const local = { id: chain.chainId, name: 'local', aliases: ['eth'], rpcUrls: [chain.url], contracts, index }
  server = await startServer({
    usePublicNodes: false,
    chains: [{ ...local, headCacheTtl: 0, requestsPerSecond: 10_000 }],
  })
  // A wallet signs for the page's own origin.
  ;(window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(`${server.origin}/`)
  await untilIndexed()
}, 120_000)
afterAll(async () => {
  await server?.remove()
  await chain?.stop()
})
beforeEach(() => {
  window.localStorage.clear()
  vi.stubGlobal('WebSocket', WebSocket)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function open<Result, Props>(useIt: (props: Props) => Result, initialProps?: Props) {
  const wire = createWire()
  const signals: (AbortSignal | null | undefined)[] = []
  const { appId, serverUrl } = server
  const send: typeof fetch = (input, init) => {
    signals.push(init?.signal)
    return wire.fetch(input, init)
  }
  const client = createClient({ appId, serverUrl, session: 'storage', fetch: send })
  await initialize(client)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <StrictMode>
      <CountersignProvider client={client}>{children}</CountersignProvider>
    </StrictMode>
  )
  const asked = (path: string) => wire.calls.filter((call) => call.path.endsWith(path)).length
  return { client, wire, signals, asked, ...renderHook(useIt, { wrapper, initialProps: initialProps as Props }) }
}

function expectAll(states: { [name: string]: { status: string } }): void {
  const open = Object.entries(states).filter(([, { status }]) => status !== 'success')
  expect(Object.fromEntries(open)).toEqual({})
}

test('R27: a balance is a bigint with its block and source; two who ask the same ask once', async () => {
  const { result, asked } = await open(
    () =>
      [useNativeBalance({ address: ada, chain: 'local' }), useNativeBalance({ chain: 'local', address: ada })] as const,
  )
  await waitFor(() => expect(result.current[0].status).toBe('success'))
  const [balance, same] = result.current
  if (balance.status !== 'success' || same.status !== 'success') throw new Error('not read')
  expect(balance.data).toEqual({ balance: ether(3), decimals: 18, symbol: 'ETH' })
  expect(balance.at).toMatchObject({
    chain: chain.chainId,
    block: { number: expect.any(Number), timestamp: expect.any(Date) },
  })
  expect(same.data).toBe(balance.data)
  expect(asked('/balance')).toBe(1)
  await chain.give(ada, 1n)
  await act(() => balance.refetch())
  await waitFor(() => expect(result.current[1]).toMatchObject({ data: { balance: ether(3) + 1n }, isFetching: false }))
})

test('R27: without an address it is the wallet, on its chain; without a wallet the user; without either it is said', async () => {
  const rdns = 'org.example.data'
  const wallet = announceTestWallet(await createTestWallet({ rdns, rpcUrl: chain.url, chainId: chain.chainId }), window)
  const [first = '', second = ''] = wallet.addresses
  await chain.give(first, 7n)
  await chain.give(second, 9n)
  const { result, client, wire } = await open(() => useNativeBalance())
  await waitFor(() =>
    expect(result.current).toMatchObject({
      status: 'error',
      error: { message: expect.stringContaining('No address is given') },
    }),
  )
  await act(() => connectWallet(client, { connector: rdns }))
  await waitFor(() => expect(result.current).toMatchObject({ data: { balance: 7n }, at: { chain: chain.chainId } }))
  expect(wire.calls.at(-1)?.path).toBe(`/chain/${chain.chainId}/addresses/${first.toLowerCase()}/balance`)
  await act(() => wallet.switchAccount(1))
  await waitFor(() => expect(result.current).toMatchObject({ data: { balance: 9n } }))
  await act(() => wallet.switchAccount(0))
  await act(() => signInWithWallet(client))
  await act(() => disconnectWallet(client))
  await waitFor(() => expect(wire.calls.at(-1)?.path).toBe(`/chain/eth/addresses/${first.toLowerCase()}/balance`))
  await waitFor(() => expect(result.current).toMatchObject({ data: { balance: 7n } }))
})

test('R27: tokens, their data and prices; what has no price or no name is null and no error', async () => {
  const on = { chain: 'local' }
  const { result } = await open(() => ({
    all: useTokenBalances({ ...on, address: ada }),
    one: useTokenBalances({ ...on, address: ada, tokens: [usdc.address] }),
    token: useToken({ ...on, token: gold.address }),
    price: useTokenPrice({ ...on, token: gold.address }),
    unknown: useTokenPrice({ ...on, token: usdc.address }),
    name: useEnsName({ address: ada }),
    nameless: useEnsName({ address: bob }),
    address: useEnsAddress({ name: 'Ada.eth' }),
    nobody: useEnsAddress({ name: 'nobody.eth' }),
    nothing: useEnsAddress(undefined),
  }))
  const read = () => {
    const { nothing, ...rest } = result.current
    expect(nothing.status).toBe('pending')
    return rest
  }
  await waitFor(() => expectAll(read()))
  const { all, one, token, price, unknown, name, nameless, address, nobody } = read()
  expect(one).toMatchObject({
    data: [{ token: getAddress(usdc.address), symbol: 'USDC', decimals: 6, balance: 3_000_000n }],
  })
  expect(all).toMatchObject({ isSyncing: false })
  const balances = all.status === 'success' ? all.data.map(({ symbol, balance }) => [symbol, balance]) : []
  expect(balances.sort()).toEqual([
    ['GLD', ether(6)],
    ['USDC', 3_000_000n],
  ])
  expect(token).toMatchObject({ data: { name: 'Gold', symbol: 'GLD', decimals: 18 } })
  expect(price).toMatchObject({
    data: { native: { value: 500_000_000_000_000n, symbol: 'ETH' }, from: { exchange: 'uniswapv2' } },
  })
  expect([unknown, nameless, nobody].map((state) => state.status === 'success' && state.data)).toEqual([
    null,
    null,
    null,
  ])
  expect(name).toMatchObject({ data: { name: 'ada.eth', avatar: { url: 'https://ada.example/me.png' } } })
  expect(address).toMatchObject({ data: { address: getAddress(ada) } })
})

test('R27: lists grow by pages, keep what is there when a page fails, and are read again as far as they were', async () => {
  const { result, wire, asked } = await open(() => useNfts({ address: ada, chain: 'local', limit: 1 }))
  await waitFor(() => expect(result.current.status).toBe('success'))
  const ids = () => (result.current.status === 'success' ? result.current.data.map(({ tokenId }) => tokenId) : [])
  expect(ids()).toHaveLength(1)
  expect(result.current).toMatchObject({ hasMore: true, isSyncing: false })
  await act(async () => {
    await Promise.all([result.current.loadMore(), result.current.loadMore()])
  })
  expect(ids()).toHaveLength(2)
  expect(asked('/nfts')).toBe(2)
  wire.cut()
  await act(() => result.current.loadMore())
  expect(result.current).toMatchObject({ status: 'success', hasMore: true, moreError: { code: expect.any(Number) } })
  expect(ids()).toHaveLength(2)
  wire.fix()
  await act(() => result.current.loadMore())
  expect(ids().toSorted()).toEqual(['1', '2', '3'])
  expect(result.current).toMatchObject({ hasMore: false })
  expect(result.current).not.toHaveProperty('moreError')
  await act(() => result.current.refetch())
  expect(ids()).toHaveLength(3)
}, 120_000)

test('R27: transfers by kind and direction, transactions, the portfolio and the chains', async () => {
  const { result, client } = await open(() => ({
    coins: useTransfers({ address: ada, chain: 'local', kind: 'erc20', token: gold.address, order: 'asc' }),
    sent: useTransfers({ address: ada, chain: 'local', direction: 'from' }),
    nfts: useTransfers({ address: ada, chain: 'local', kind: ['erc721', 'erc1155'] }),
    transactions: useTransactions({ address: ada, chain: 'local' }),
    portfolio: usePortfolio({ address: ada }),
    chains: useChains(),
  }))
  await waitFor(() => expectAll(result.current))
  const { coins, sent, nfts, transactions, portfolio, chains } = result.current
  const amounts = coins.status === 'success' ? coins.data.map(({ amount }) => amount) : []
  expect(amounts).toEqual([ether(1), ether(2), ether(3)])
  expect(coins).toMatchObject({ data: [{ to: getAddress(ada), block: { timestamp: expect.any(Date) } }, {}, {}] })
  expect(sent).toMatchObject({ data: [], hasMore: false })
  expect(nfts.status === 'success' && nfts.data.map(({ tokenId }) => tokenId)).toEqual(['3', '2', '1'])
  expect(transactions.status === 'success' && transactions.data.some(({ value }) => value === ether(3))).toBe(true)
  expect(portfolio).toMatchObject({ data: { address: getAddress(ada), chains: [{ chain: chain.chainId, nfts: 3 }] } })
  const tokens = portfolio.status === 'success' ? portfolio.data.chains[0]?.tokens : undefined
  expect(tokens?.find(({ symbol }) => symbol === 'GLD')?.balance).toBe(ether(6))
  expect(chains).toMatchObject({ data: [{ id: chain.chainId, name: 'local', head: { timestamp: expect.any(Date) } }] })
  const page = await listTransfers(client, { address: ada, chain: 'local', kind: 'erc20', limit: 1 })
  expect(page).toMatchObject({ result: [{ amount: 3_000_000n }], cursor: expect.any(String) })
})

test('a live list shows a transfer as soon as it is on the chain', async () => {
  const receiver = newReceiver()
  const { result, asked } = await open(() => useTransfers({ address: receiver, chain: 'local', live: true }))
  await waitFor(() => expect(result.current).toMatchObject({ status: 'success', data: [] }))
  await waitFor(() => expect(asked('/transfers')).toBe(2))
  await send(gold, 'transfer', receiver, 5n)
  await waitFor(() => expect(result.current).toMatchObject({ data: [{ amount: 5n, to: getAddress(receiver) }] }))
  await send(gold, 'transfer', receiver, 6n)
  await waitFor(() => expect(result.current).toMatchObject({ data: [{ amount: 6n }, { amount: 5n }] }))
})

test('a live list of many pages reads only new rows, for any number at once', async () => {
  const receiver = newReceiver()
  for (const amount of [1n, 2n, 3n, 4n, 5n]) await send(gold, 'transfer', receiver, amount)
  // A transfer that arrives while the list is open would make it longer.
  await untilIndexed()
  const input = { address: receiver, chain: 'local', live: true, limit: 2 }
  const { result, asked } = await open(() => useTransfers(input))
  const amounts = () => (result.current.status === 'success' ? result.current.data.map(({ amount }) => amount) : [])
  await waitFor(() => expect(amounts()).toEqual([5n, 4n]))
  // Once more when the subscription is open.
  await waitFor(() => expect([asked('/transfers'), result.current]).toMatchObject([2, { isFetching: false }]))
  await act(() => result.current.loadMore())
  await act(() => result.current.loadMore())
  expect(amounts()).toEqual([5n, 4n, 3n, 2n, 1n])
  const before = asked('/transfers')
  await send(gold, 'spread', [receiver])
  await waitFor(() => expect(amounts()).toEqual([1n, 5n, 4n, 3n, 2n, 1n]))
  expect(asked('/transfers')).toBe(before + 1)
  expect(result.current).toMatchObject({ hasMore: false })
  // More than a page: the same number of rows is read again.
  await send(gold, 'spread', [receiver, receiver, receiver])
  await waitFor(() => expect(amounts()).toEqual([1n, 1n, 1n, 1n, 5n, 4n]), { timeout: 60_000 })
  expect(result.current).toMatchObject({ hasMore: true })
})

test('stores of transfers and NFTs share the reading of a hook, grow by pages and follow the chain', async () => {
  const receiver = newReceiver()
  const input = { address: receiver, chain: 'local', limit: 2 }
  const { client, result, asked } = await open(() => useTransfers(input))
  const transfers = watchTransfers(client, { ...input, live: true })
  expect(transfers.get()).toMatchObject({ status: 'pending' })
  const stop = transfers.subscribe(() => undefined)
  const amounts = () => transfers.get().data?.result.map(({ amount }) => amount)
  // Once for both, and once more when the subscription is open.
  await waitFor(() => expect([asked('/transfers'), transfers.get()]).toMatchObject([2, { isFetching: false }]))
  expect(amounts()).toEqual([])
  for (const amount of [1n, 2n, 3n]) await send(gold, 'transfer', receiver, amount)
  await waitFor(() => expect(amounts()?.[0]).toBe(3n))
  expect(transfers.getSnapshot()).toBe(transfers.get())
  await waitFor(() => expect(result.current.data).toBe(transfers.get().data?.result))
  stop()

  const nfts = watchNfts(client, { address: ada, chain: 'local', limit: 2 })
  const stopNfts = nfts.subscribe(() => undefined)
  await waitFor(() => expect(nfts.get()).toMatchObject({ data: { result: [{}, {}], cursor: expect.any(String) } }))
  await nfts.loadMore()
  expect(nfts.get().data?.result).toHaveLength(3)
  stopNfts()
})

test('an unwatched store of transfers is not read when another arrives', async () => {
  const receiver = newReceiver()
  const { client, asked } = await open(() => undefined)
  const transfers = watchTransfers(client, { address: receiver, chain: 'local', live: true })
  const stop = transfers.subscribe(() => undefined)
  await waitFor(() => expect([asked('/transfers'), transfers.get()]).toMatchObject([2, { isFetching: false }]))
  stop()
  await send(gold, 'transfer', receiver, 1n)
  await untilIndexed()
  const other = watchTransfers(client, { address: receiver, chain: 'local', limit: 1, live: true })
  const stopOther = other.subscribe(() => undefined)
  await waitFor(() => expect(other.get()).toMatchObject({ data: { result: [{ amount: 1n }] }, isFetching: false }))
  stopOther()
  expect(transfers.get().data?.result).toEqual([])
})

test('drops the response to a former input; the last unsubscriber cancels', async () => {
  const { result, wire, signals, rerender, unmount } = await open(
    ({ address }: { address: string }) => useNativeBalance({ address, chain: 'local' }),
    { address: bob },
  )
  await waitFor(() => expect(result.current).toMatchObject({ data: { balance: 0n } }))
  const release = wire.hold()
  const before = signals.length
  rerender({ address: chain.rich })
  expect(result.current.status).toBe('pending')
  await waitFor(() => expect(signals).toHaveLength(before + 1))
  rerender({ address: bob })
  expect(result.current).toMatchObject({ data: { balance: 0n } })
  await waitFor(() => expect(signals[before]?.aborted).toBe(true))
  release()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(result.current).toMatchObject({ data: { balance: 0n } })
  unmount()
})

test('an unknown chain and an invalid address are errors with a fix', async () => {
  const { result, client } = await open(() => useNativeBalance({ address: 'ada', chain: 'local' }))
  await waitFor(() => expect(result.current).toMatchObject({ status: 'error', error: { code: 162 } }))
  await expect(getNativeBalance(client, { address: ada, chain: 'nowhere' })).rejects.toThrow('nowhere')
})

test('lists the user’s roles with their parents; none without a user', async () => {
  const rdns = 'org.example.roles'
  announceTestWallet(await createTestWallet({ rdns, chainId: chain.chainId }), window)
  const { result, client } = await open(() => useRoles())
  await waitFor(() => expect(result.current.status).toBe('error'))
  const user = await act(() => signInWithWallet(client, { connector: rdns }))
  await waitFor(() => expect(result.current).toMatchObject({ status: 'success', data: [] }))
  const ACL = { '*': { read: true } }
  const point = (className: string, objectId: unknown) => ({ __type: 'Pointer', className, objectId })
  const relate = (object: object) => ({ __op: 'AddRelation', objects: [object] })
  const make = (name: string, fields: object, acl: object = ACL) =>
    server.asMaster('POST', '/roles', { name, ACL: acl, ...fields })
  const editors = await make('editors', { users: relate(point('_User', user?.objectId)) })
  await make('readers', { roles: relate(point('_Role', editors.objectId)) })
  await make('secret', { users: relate(point('_User', user?.objectId)) }, {})
  await make('others', {})
  await act(async () => result.current.refetch())
  await waitFor(() =>
    expect(result.current).toMatchObject({
      data: [
        { name: 'editors', isInherited: false },
        { name: 'readers', isInherited: true },
      ],
    }),
  )
})
