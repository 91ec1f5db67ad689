// @vitest-environment node
import { type Address, encodeFunctionResult, multicall3Abi, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createFundedPages } from '../../testing/createFundedPages.ts'
import { startChain, type TestChain } from '../../testing/startChain.ts'
import type { ClientOptions } from '../client/Client.ts'
import { RevertError, WrongChainError } from '../errors/walletErrors.ts'
import { createClient } from '../setup/createClient.ts'
import type { Eip1193Provider } from '../state/Connector.ts'
import { readContract } from './readContract.ts'

type Contract = Awaited<ReturnType<TestChain['deploy']>>

const usualAddress = '0xcA11bde05977b3631167028862bE2a173976CA11'

let chain: TestChain
let shelf: Contract
let coin: Contract
let multicall: Address
let firstBlock: bigint

beforeAll(async () => {
  chain = await startChain()
  shelf = await chain.deploy('Shelf')
  coin = await chain.deploy('Coin')
  firstBlock = BigInt(String(await chain.ask('eth_blockNumber')))
  multicall = (await chain.deploy('Multicall3')).address
})

afterAll(() => chain?.stop())
afterEach(async () => {
  vi.unstubAllGlobals()
  await chain.ask('hardhat_setCode', [usualAddress, '0x'])
})

const { open: openPage, openNode } = createFundedPages(() => chain, vi.stubGlobal)

/** A client, and a provider on the real chain that counts what it is asked by method. */
function open(options: ClientOptions = { multicall: { [chain.chainId]: multicall } }) {
  const node = openNode()
  let counts: Record<string, number> = {}
  const provider: Eip1193Provider = {
    request(call) {
      counts[call.method] = (counts[call.method] ?? 0) + 1
      return node.request(call)
    },
  }
  const take = () => {
    const taken = counts
    counts = {}
    return taken
  }
  return { client: createClient(options), provider, take }
}

const holders = (count: number) =>
  Array.from({ length: count }, (_, at) => `0x${(at + 1).toString(16).padStart(40, '0')}`)

/** Balances of this many accounts, all asked for at once. */
const readBalances = ({ client, provider }: ReturnType<typeof open>, count: number, more: object = {}) =>
  Promise.all(
    holders(count).map((holder) =>
      readContract(client, { ...coin, functionName: 'balanceOf', args: [holder], provider, ...more }),
    ),
  )

const none = (count: number) => Array<bigint>(count).fill(0n)

test('reads of one moment are one request where the chain has Multicall3', async () => {
  const apart = open({ multicall: false })
  const together = open()
  const [before, after] = [await readBalances(apart, 20), await readBalances(together, 20)]
  expect(after).toEqual(before)
  expect(apart.take()).toEqual({ eth_call: 20 })
  expect(together.take()).toEqual({ eth_chainId: 1, eth_call: 1 })
  // The chain that reads name is checked once.
  await readBalances(together, 20, { chainId: chain.chainId })
  expect(together.take()).toEqual({ eth_chainId: 1, eth_call: 1 })
})

test('a single read is an ordinary call', async () => {
  const page = open()
  expect(await readBalances(page, 1)).toEqual([0n])
  expect(page.take()).toEqual({ eth_call: 1 })
})

test('a chain without the contract is read as before, and asked for it once', async () => {
  const page = open({})
  expect(await readBalances(page, 3)).toEqual(none(3))
  expect(page.take()).toEqual({ eth_chainId: 1, eth_getCode: 1, eth_call: 4 })
  expect(await readBalances(page, 3)).toEqual(none(3))
  expect(page.take()).toEqual({ eth_chainId: 1, eth_call: 3 })
})

test('a configured contract that is not there is asked once', async () => {
  const page = open({ multicall: { [chain.chainId]: '0x00000000000000000000000000000000000000ff' } })
  expect(await readBalances(page, 3)).toEqual(none(3))
  expect(page.take()).toEqual({ eth_chainId: 1, eth_call: 4 })
  expect(await readBalances(page, 3)).toEqual(none(3))
  expect(page.take()).toEqual({ eth_chainId: 1, eth_call: 3 })
})

test('other code at the usual address is not believed', async () => {
  // Returns the rest of its own code to every call: a result of two balances that nobody has.
  const returnData = `0x${'f'.repeat(64)}` as const
  const results = [0, 1].map(() => ({ success: true, returnData }))
  const lie = encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: results })
  await chain.ask('hardhat_setCode', [usualAddress, `0x600d380380600d6000396000f3${lie.slice(2)}`])
  const lying = open({})
  expect(await readBalances(lying, 2)).toEqual(none(2))
  expect(await readBalances(lying, 2)).toEqual(none(2))
  expect(lying.take()).toEqual({ eth_chainId: 2, eth_getCode: 1, eth_call: 5 })
  // It does lie to those who trust it.
  const trusting = open({ multicall: { [chain.chainId]: usualAddress } })
  expect(await readBalances(trusting, 2)).not.toEqual(none(2))
})

test('a call that fails has its own error, and its neighbors their results', async () => {
  const page = open()
  const { client, provider } = page
  const burner = await chain.deploy('GasBurner')
  const views = parseAbi([
    'function refuse(uint256 kind) view returns (bool)',
    'function value() view returns (uint256)',
    'error Refused(address who, uint256 limit)',
  ])
  const refused = { address: shelf.address, abi: views, functionName: 'refuse', provider } as const
  const burning = { ...burner, functionName: 'isValidSignature', args: [`0x${'0'.repeat(64)}`, '0x'], provider }
  const read = () =>
    Promise.allSettled([
      readContract(client, { address: shelf.address, abi: views, functionName: 'value', provider }),
      readContract(client, { ...refused, args: [0n] }),
      readContract(client, burning),
      readContract(client, { ...refused, args: [2n] }),
      readContract(client, { ...coin, functionName: 'decimals', provider }),
      readContract(client, { ...coin, functionName: 'symbol', provider }),
    ])
  for (const calls of [4, 4]) {
    const [value, sunday, burnt, late, decimals, symbol] = await read()
    expect([value, decimals, symbol].map((one) => one.status)).toEqual(Array(3).fill('fulfilled'))
    expect(sunday).toMatchObject({ reason: expect.any(RevertError) })
    expect(sunday).toMatchObject({ reason: { revertReason: 'closed on Sundays' } })
    expect(late).toMatchObject({ reason: { revertReason: expect.stringContaining('does not name') } })
    expect(burnt.status).toBe('rejected')
    // One batch, then each failed call alone; the second time failed calls are not in the batch.
    expect(page.take().eth_call).toBe(calls)
  }
}, 300_000)

test('a call that depends on its caller is not batched', async () => {
  const { client, account, other, wallet } = await openPage({ multicall: { [chain.chainId]: multicall } })
  const look = { ...shelf, functionName: 'look', args: [1n] } as const
  const balance = { ...coin, functionName: 'balanceOf', args: [account] } as const
  const read = await Promise.all([
    readContract(client, look),
    readContract(client, { ...look, account: other as Address }),
    readContract(client, balance),
    readContract(client, { ...coin, functionName: 'symbol' }),
    readContract(client, { ...balance, account: other as Address }),
  ])
  expect(read).toEqual([[expect.anything(), account], [expect.anything(), other], 0n, 'COIN', 0n])
  const calls = () => wallet.requests().filter(({ method }) => method === 'eth_call').length
  // Two calls of the account, one batch of two, one with a chosen account.
  expect(calls()).toBe(4)
  wallet.clear()
  const value = { ...shelf, functionName: 'value', account: null } as const
  expect(await Promise.all([readContract(client, value), readContract(client, value)])).toEqual([0n, 0n])
  expect(calls()).toBe(1)
})

test('a writing function is simulated alone', async () => {
  const page = open()
  const { client, provider } = page
  const set = { ...shelf, functionName: 'set(uint256)', args: [5n], provider } as const
  const value = { ...shelf, functionName: 'value', provider } as const
  const read = await Promise.all([readContract(client, set), readContract(client, value), readContract(client, value)])
  expect(read).toEqual([undefined, 0n, 0n])
  expect(page.take().eth_call).toBe(2)
})

test('blocks are not mixed, and a block before the contract is read as before', async () => {
  const page = open()
  const { client, provider } = page
  const at = (block: bigint | 'latest' | 'pending') =>
    readContract(client, { ...coin, functionName: 'decimals', provider, block })
  expect(await Promise.all((['latest', 'latest', 'pending', 'pending'] as const).map(at))).toEqual([6, 6, 6, 6])
  expect(page.take().eth_call).toBe(2)
  expect(await Promise.all([at(firstBlock), at(firstBlock)])).toEqual([6, 6])
  expect(page.take().eth_call).toBe(3)
  expect(await Promise.all([at('latest'), at('latest')])).toEqual([6, 6])
  expect(page.take().eth_call).toBe(1)
})

test('a batch has at most a hundred calls, and at most 60,000 characters of data', async () => {
  const page = open()
  expect(await readBalances(page, 250)).toEqual(none(250))
  expect(page.take().eth_call).toBe(3)
  const parts = Array<bigint>(400).fill(1n)
  const sum = { ...shelf, functionName: 'sum', args: [parts], provider: page.provider } as const
  const sums = await Promise.all(Array.from({ length: 6 }, () => readContract(page.client, sum)))
  expect(sums).toEqual(Array(6).fill(400n))
  expect(page.take().eth_call).toBe(3)
})

test('a canceled read leaves the others of its batch alone', async () => {
  const { client, provider, take } = open()
  const leaving = new AbortController()
  const input = { ...coin, functionName: 'decimals', provider } as const
  const reads = [
    readContract(client, input, { signal: leaving.signal }),
    readContract(client, input),
    readContract(client, { ...coin, functionName: 'symbol', provider }),
  ]
  leaving.abort()
  const outcomes = await Promise.allSettled(reads)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(take().eth_call).toBe(1)
})

test('a rate limit does not lead to more requests', async () => {
  const { client, provider, take } = open()
  const busy: Eip1193Provider = {
    async request(call) {
      const answer = await provider.request(call)
      if (call.method === 'eth_call') throw Object.assign(new Error('slow down'), { code: -32005 })
      return answer
    },
  }
  const read = readBalances({ client, provider: busy, take }, 10)
  await expect(read).rejects.toThrow('slow down')
  expect(take()).toEqual({ eth_chainId: 1, eth_call: 1 })
})

test('a batch that the node refuses is read call by call', async () => {
  const { client, provider, take } = open()
  const small: Eip1193Provider = {
    async request(call) {
      const size = JSON.stringify(call.params ?? []).length
      const answer = await provider.request(call)
      if (size > 1000) throw Object.assign(new Error('request too large'), { code: -32000 })
      return answer
    },
  }
  expect(await readBalances({ client, provider: small, take }, 10)).toEqual(none(10))
  expect(take()).toEqual({ eth_chainId: 1, eth_call: 11 })
})

test('reads for another chain fail, and those of the same moment for this one do not', async () => {
  const { client, provider, take } = open()
  const input = { ...coin, functionName: 'decimals', provider } as const
  const outcomes = await Promise.allSettled([
    readContract(client, { ...input, chainId: 1 }),
    readContract(client, { ...input, chainId: chain.chainId }),
    readContract(client, input),
  ])
  expect(outcomes).toMatchObject([{ reason: expect.any(WrongChainError) }, { value: 6 }, { value: 6 }])
  expect(take()).toEqual({ eth_chainId: 1, eth_call: 1 })
})

test('a configured node is read in batches too', async () => {
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const local = { id: chain.chainId, name: 'Local', nativeCurrency, rpcUrls: [chain.url] }
  const asked: string[] = []
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (url: string, init: { body: string }) => {
    asked.push((JSON.parse(init.body) as { method: string }).method)
    return fetch(url, init)
  })
  const client = createClient({ chains: [local], multicall: { [chain.chainId]: multicall } })
  const value = { ...shelf, functionName: 'value', chainId: chain.chainId } as const
  const sum = { ...shelf, functionName: 'sum', args: [[1n, 2n]], chainId: chain.chainId } as const
  expect(await Promise.all([readContract(client, value), readContract(client, sum)])).toEqual([0n, 3n])
  expect(asked).toEqual(['eth_call'])
})
