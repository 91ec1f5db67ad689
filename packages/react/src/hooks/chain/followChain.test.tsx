// @vitest-environment happy-dom
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { type Address, encodeFunctionData, type Hash, parseAbi, verifyTypedData } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import { getContractEvents } from '../../core/chain/followChain.ts'
import { createClient } from '../../core/setup/createClient.ts'
import { askNode } from '../../core/wallet/connectors/walletLinks.ts'
import { connectWallet } from '../../core/wallet/connectWallet.ts'
import { startChain, type TestChain } from '../../testing/startChain.ts'
import { announceTestWallet } from '../../testWallet/announceTestWallet.ts'
import { createTestWallet } from '../../testWallet/createTestWallet.ts'
import { useReadContract, useWriteContract } from './useContract.ts'
import { useBlockNumber, useContractEvents, useSignTypedData, useWaitForReceipt } from './useFollowChain.ts'

configure({ asyncUtilTimeout: 60_000 })

let chain: TestChain
let shelf: Awaited<ReturnType<TestChain['deploy']>>
let coin: Awaited<ReturnType<TestChain['deploy']>>

beforeAll(async () => {
  chain = await startChain()
  // The simulated page asks its own origin alone.
  ;(window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(`${chain.url}/`)
  shelf = await chain.deploy('Shelf')
  coin = await chain.deploy('Coin')
}, 120_000)

afterEach(() => {
  cleanup()
  window.localStorage.clear()
})

afterAll(() => chain?.stop())

/** A page with a connected wallet of its own name. */
async function open(name: string) {
  const rdns = `org.example.follow.${name}`
  const options = { rdns, rpcUrl: chain.url, chainId: chain.chainId, chains: [1, chain.chainId] }
  const wallet = announceTestWallet(await createTestWallet(options), window)
  const client = createClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <StrictMode>
      <CountersignProvider client={client}>{children}</CountersignProvider>
    </StrictMode>
  )
  await chain.give(wallet.addresses[0] ?? '', 10n ** 19n)
  await connectWallet(client, { connector: rdns })
  const count = (method: string) => wallet.requests().filter((one) => one.method === method).length
  return { wallet, client, wrapper, count, account: wallet.addresses[0] as Address }
}

const later = (milliseconds: number) => act(() => new Promise((resolve) => setTimeout(resolve, milliseconds)))
const transferCoins = async (to: string, amount: bigint) =>
  chain.ask('eth_sendTransaction', [
    { from: chain.rich, to: coin.address, data: `0xa9059cbb${pad(to)}${pad(amount.toString(16))}` },
  ])
const pad = (value: string) => value.replace('0x', '').toLowerCase().padStart(64, '0')

test('useBlockNumber follows the chain, once for all components, and stops with the last', async () => {
  const { wrapper, count, wallet } = await open('block')
  const input = { chainId: chain.chainId }
  const { result, unmount } = renderHook(
    () =>
      [
        useBlockNumber(input, { refetchInterval: 100 }),
        useBlockNumber({ ...input }, { refetchInterval: 100 }),
      ] as const,
    { wrapper },
  )
  await waitFor(() => expect(result.current[0].status).toBe('success'))
  const first = result.current[0].data ?? 0n
  await chain.give(chain.rich, 1n)
  await waitFor(() => expect(result.current[1].data).toBe(first + 1n))
  await act(() => wallet.switchChain(1))
  await waitFor(() => expect(result.current[0].error).toMatchObject({ reason: 'wrongChain' }))
  await act(() => wallet.switchChain(chain.chainId))
  await waitFor(() => expect(result.current[0].status).toBe('success'))
  unmount()
  await later(50)
  const before = count('eth_blockNumber')
  await later(400)
  expect(count('eth_blockNumber')).toBe(before)
})

test('useWaitForReceipt waits for the page’s transaction, and contracts are read again; a revert is an error', async () => {
  const { wrapper } = await open('receipt')
  const { result } = renderHook(
    () => {
      const write = useWriteContract()
      const late = useWriteContract()
      return {
        write,
        late,
        value: useReadContract({ ...shelf, functionName: 'value' }),
        receipt: useWaitForReceipt(write.data && { hash: write.data.hash, chainId: chain.chainId }),
        failed: useWaitForReceipt(late.data && { hash: late.data.hash }),
        unknown: useWaitForReceipt({ hash: `0x${'ab'.repeat(32)}` as Hash, timeout: 500 }),
      }
    },
    { wrapper },
  )
  await waitFor(() => expect(result.current.value.status).toBe('success'))
  expect(result.current.receipt).toMatchObject({ status: 'pending', fetchStatus: 'idle' })
  const next = BigInt(String(result.current.value.data)) + 5n
  await act(() => result.current.write.writeContractAsync({ ...shelf, functionName: 'set(uint256)', args: [next] }))
  await waitFor(() => expect(result.current.receipt.status).toBe('success'))
  expect(result.current.receipt.data).toMatchObject({
    status: 'success',
    transactionHash: result.current.write.data?.hash,
  })
  await waitFor(() => expect(result.current.value.data).toBe(next))
  // Another one comes before it into the block, so that it fails there and not when it is tried out.
  await chain.ask('evm_setAutomine', [false])
  const data = encodeFunctionData({ abi: parseAbi(['function set(uint256)']), args: [next + 1n] })
  await chain.ask('eth_sendTransaction', [{ from: chain.rich, to: shelf.address, data }])
  const call = { ...shelf, functionName: 'onlyAt', args: [next], gas: 100_000 } as const
  await act(() => result.current.late.writeContractAsync(call))
  await chain.ask('evm_mine')
  await chain.ask('evm_setAutomine', [true])
  await waitFor(() => expect(result.current.failed.error).toMatchObject({ revertReason: 'too late' }))
  await waitFor(() => expect(result.current.unknown.error).toMatchObject({ code: 124 }))
})

test('useContractEvents has past events and new ones, filtered by indexed values', async () => {
  const { wrapper, wallet, account, count } = await open('events')
  await transferCoins(account, 3n)
  await transferCoins(chain.rich, 4n)
  const event = { ...coin, eventName: 'Transfer', chainId: chain.chainId }
  const { result, unmount } = renderHook(
    () => ({
      all: useContractEvents({ ...event, fromBlock: 0n }, { refetchInterval: 100 }),
      own: useContractEvents({ ...event, args: { to: account }, fromBlock: 0n }, { refetchInterval: 100 }),
      coming: useContractEvents({ ...event, args: { to: account } }, { refetchInterval: 100 }),
      once: useContractEvents({ ...event, fromBlock: 0n, toBlock: 1n }),
    }),
    { wrapper },
  )
  const amounts = (data: readonly object[] | undefined) =>
    data?.map((log) => Object(log).args.value ?? Object(Object.values(Object(log).args))[2])
  await waitFor(() => expect(amounts(result.current.own.data)).toEqual([3n]))
  await waitFor(() => expect(result.current.coming.data).toEqual([]))
  const before = result.current.all.data?.length ?? 0
  await transferCoins(account, 9n)
  await waitFor(() => expect(amounts(result.current.own.data)).toEqual([3n, 9n]))
  await waitFor(() => expect(amounts(result.current.coming.data)).toEqual([9n]))
  await waitFor(() => expect(result.current.all.data).toHaveLength(before + 1))
  expect(result.current.once.status).toBe('success')
  await act(() => wallet.switchAccount(1))
  await waitFor(() => expect(amounts(result.current.own.data)).toEqual([3n, 9n]))
  unmount()
  await later(50)
  const asked = count('eth_getLogs')
  await later(300)
  expect(count('eth_getLogs')).toBe(asked)
})

test('a range that a node refuses is read in parts; a rate limit is not', async () => {
  let limit = 'query exceeds max block range 2'
  const ranges: number[] = []
  const provider = {
    async request(call: { method: string; params?: readonly unknown[] }) {
      if (call.method !== 'eth_getLogs') return askNode(chain.url, call)
      const { fromBlock, toBlock } = Object(call.params?.[0])
      const range = Number(toBlock) - Number(fromBlock) + 1
      if (range > 2) throw Object.assign(new Error(limit), { code: -32000 })
      ranges.push(range)
      return askNode(chain.url, call)
    },
  }
  const { client, account } = await open('ranges')
  await transferCoins(account, 7n)
  const input = { ...coin, eventName: 'Transfer', args: { to: account }, fromBlock: 0n, provider }
  expect(await getContractEvents(client, input as never)).toHaveLength(1)
  expect(Math.max(...ranges)).toBe(2)
  limit = 'rate limit exceeded'
  await expect(getContractEvents(client, input as never)).rejects.toThrow('rate limit exceeded')
})

test('useSignTypedData signs on the right chain alone, with the account on show', async () => {
  const { wrapper, wallet, account } = await open('typed')
  const order = {
    domain: { name: 'Shop', version: '1', chainId: chain.chainId },
    types: {
      Order: [
        { name: 'item', type: 'string' },
        { name: 'price', type: 'uint256' },
      ],
    },
    primaryType: 'Order',
    message: { item: 'Lamp', price: 5n },
  } as const
  const { result } = renderHook(() => useSignTypedData(), { wrapper })
  await act(() => result.current.signTypedData(order))
  expect(result.current.error).toBeUndefined()
  const { data: signature = '0x' } = result.current
  expect(await verifyTypedData({ ...order, address: account, signature })).toBe(true)
  const prompts = wallet.prompts().length
  await act(() => result.current.signTypedData({ ...order, message: { item: 'Lamp', price: 'five' as never } }))
  expect(result.current.error).toMatchObject({ code: 142 })
  await act(() => wallet.switchChain(1))
  await act(() => result.current.signTypedData(order))
  expect(result.current.error).toMatchObject({ reason: 'wrongChain', chainId: chain.chainId })
  expect(wallet.prompts()).toHaveLength(prompts)
  await act(() => wallet.switchChain(chain.chainId))
  wallet.rejectNext()
  await act(() => result.current.signTypedData(order))
  expect(result.current.error).toMatchObject({ reason: 'userRejected' })
  await expect(result.current.signTypedDataAsync({ ...order, chainId: 1 })).rejects.toThrow('chain 1 is required')
})
