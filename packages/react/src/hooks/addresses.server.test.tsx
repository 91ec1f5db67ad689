// @vitest-environment happy-dom
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { type Address, encodeFunctionData, getAddress, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { CountersignProvider } from '../components/CountersignProvider.tsx'
import { createClient } from '../core/setup/createClient.ts'
import { initialize } from '../core/setup/initialize.ts'
import { startChain, type TestChain } from '../testing/startChain.ts'
import { startServer, type TestServer } from '../testing/startServer.ts'
import { announceTestWallet } from '../testWallet/announceTestWallet.ts'
import { createTestWallet } from '../testWallet/createTestWallet.ts'
import { useLinkedWallets, useLinkWallet } from './account/useLinkedWallets.ts'
import { useSignInMethods } from './account/useSecurity.ts'
import {
  useNfts,
  usePortfolio,
  useToken,
  useTokenBalances,
  useTransactions,
  useTransfers,
} from './chain/useChainData.ts'
import { useReadContract, useWriteContract } from './chain/useContract.ts'
import { useContractEvents, useWaitForReceipt } from './chain/useFollowChain.ts'
import { useFollowTransaction } from './chain/useFollowTransaction.ts'
import { useSession, useUser } from './session/useSession.ts'
import { useSignInWithWallet } from './session/useSignIn.ts'
import { useAccountMismatch, useConnectWallet, useWallet } from './wallet/useWallet.ts'

type Simulated = {
  happyDOM: { setURL(url: string): void; settings: { fetch: { disableSameOriginPolicy: boolean } } }
}

configure({ asyncUtilTimeout: 60_000 })

const rdns = 'org.example.addresses'
const events = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
])

let chain: TestChain
let server: TestServer
let coin: Awaited<ReturnType<TestChain['deploy']>>
let pictures: Awaited<ReturnType<TestChain['deploy']>>
let wallet: Awaited<ReturnType<typeof createTestWallet>>

beforeAll(async () => {
  chain = await startChain()
  coin = await chain.deploy('Token', chain.rich, ['Gold', 'GLD', 18])
  pictures = await chain.deploy('Pictures', chain.rich, ['Pictures', 'PIC'])
  wallet = announceTestWallet(
    await createTestWallet({ rdns, accounts: 3, rpcUrl: chain.url, chainId: chain.chainId }),
    window,
  )
  const index = { mode: 'all', transactions: true, startBlock: 0, pollInterval: 50, addresses: wallet.addresses }
  const local = { id: chain.chainId, name: 'local', aliases: ['eth'], rpcUrls: [chain.url], index }
  server = await startServer({
    rateLimit: [],
    usePublicNodes: false,
    chains: [{ ...local, headCacheTtl: 0, requestsPerSecond: 10_000 }],
  })
  const { happyDOM } = window as unknown as Simulated
  happyDOM.setURL(`${server.origin}/`)
  // The wallet's node is another origin.
  happyDOM.settings.fetch.disableSameOriginPolicy = true
}, 120_000)
afterAll(async () => {
  await server?.remove()
  await chain?.stop()
})
afterEach(cleanup)

/** All EVM addresses in a value, also those of objects inside. Wallet connections are not data. */
function listAddresses(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value === 'string') return /^0x[0-9a-f]{40}$/i.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  return Object.entries(value).flatMap(([name, item]) =>
    name === 'provider' || name === 'connector' ? [] : listAddresses(item, seen),
  )
}

function useAll(own: Address, hash: Address | undefined) {
  const on = { address: own, chain: chain.chainId }
  const contract = { address: coin.address, abi: events, chainId: chain.chainId } as const
  return {
    wallet: useWallet(),
    connecting: useConnectWallet(),
    mismatch: useAccountMismatch(),
    linked: useLinkedWallets(),
    linking: useLinkWallet(),
    methods: useSignInMethods(),
    balances: useTokenBalances(on),
    token: useToken({ chain: chain.chainId, token: coin.address.toLowerCase() }),
    transfers: useTransfers(on),
    transactions: useTransactions(on),
    nfts: useNfts(on),
    portfolio: usePortfolio({ address: own }),
    owner: useReadContract({ ...pictures, functionName: 'ownerOf', args: [1n], chainId: chain.chainId }),
    events: useContractEvents({ ...contract, eventName: 'Transfer', fromBlock: 0n }),
    writing: useWriteContract(),
    receipt: useWaitForReceipt(hash && { hash, chainId: chain.chainId }),
    // Stored documents: as the server stores them, in lower case.
    user: useUser(),
    session: useSession(),
    followed: useFollowTransaction(hash && { chain: chain.chainId, hash }),
  }
}

const stored = ['user', 'session', 'followed']
/** Hooks with fewer addresses than these would make the check empty. */
const least: Record<string, number> = { wallet: 2, transfers: 3, events: 3, receipt: 3, writing: 3, mismatch: 2 }

test('L3: every hook returns addresses with their checksum; stored documents keep lower case', async () => {
  const [own = '0x', other = '0x'] = wallet.addresses as readonly Address[]
  const { appId, serverUrl } = server
  const client = createClient({ appId, serverUrl, session: 'storage' })
  await initialize(client)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <CountersignProvider client={client}>{children}</CountersignProvider>
  )
  await chain.give(own, 10n ** 19n)
  await chain.give(other, 10n ** 19n)
  const send = async ({ address, abi }: typeof coin, functionName: string, args: readonly unknown[]) => {
    const data = encodeFunctionData({ abi, functionName, args })
    await chain.ask('eth_sendTransaction', [{ from: chain.rich, to: address, data }])
  }
  await send(coin, 'mint', [own, 100n])
  await send(pictures, 'mint', [own, 1n, 'data:application/json,{}'])

  const signing = renderHook(() => useSignInWithWallet(), { wrapper })
  const { result, rerender } = renderHook(({ hash }: { hash?: Address }) => useAll(own, hash), {
    wrapper,
    initialProps: {},
  })
  await act(() => result.current.connecting.connectWallet({ connector: rdns }))
  await act(() => signing.result.current.signInWithWallet())
  await act(() => wallet.switchAccount(1))
  await act(() => result.current.linking.linkWallet())
  const transfer = { address: coin.address, abi: events, functionName: 'transfer', args: [other, 1n], wait: 1 } as const
  await act(() => wallet.switchAccount(0))
  await act(() => result.current.writing.writeContractAsync({ ...transfer, chainId: chain.chainId }))
  const { hash } = result.current.writing.data ?? {}
  rerender({ ...(hash && { hash }) })
  // A third account is linked to nobody.
  await act(() => wallet.switchAccount(2))
  await waitFor(() => expect(result.current.mismatch.mismatch).toBeDefined())
  const names = Object.keys(result.current) as (keyof typeof result.current)[]
  const count = (name: (typeof names)[number]) => listAddresses(result.current[name]).length
  await waitFor(() => expect(names.filter((name) => count(name) < (least[name] ?? 1))).toEqual([]))
  for (const name of names) {
    const found = listAddresses(result.current[name])
    const expected = stored.includes(name) ? (text: string) => text.toLowerCase() : (text: string) => getAddress(text)
    expect([name, found]).toEqual([name, found.map((text) => expected(text))])
  }
}, 300_000)
