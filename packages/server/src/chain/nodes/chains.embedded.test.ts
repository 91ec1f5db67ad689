import { encodeFunctionData, getAddress, multicall3Abi, parseAbi } from 'viem'
import * as viemChains from 'viem/chains'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../config/readConfig.ts'
import type { Chain as TestChain } from '../../testing/chain/Chain.ts'
import { connect, holder, log, patience, readChains, resetFaults } from '../../testing/chain/connectNodes.ts'
import { createDeployerClient } from '../../testing/chain/createDeployerClient.ts'
import { deployContract } from '../../testing/chain/deployContract.ts'
import { getArtifact } from '../../testing/chain/getArtifact.ts'
import { RpcError } from '../../testing/chain/RpcError.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import type { ContractCall } from './Chain.ts'
import { decodeAggregate, encodeAggregate } from './createChain.ts'
import { createBucket } from './createNode.ts'
import { createChains } from './getChains.ts'
import { knownChains } from './knownChains.ts'
import { NodeError } from './NodeError.ts'

let first: TestChain
let second: TestChain
let stranger: TestChain

beforeAll(async () => {
  ;[first, second, stranger] = await Promise.all([startChain(), startChain(), startChain({ chainId: 5 })])
})
afterAll(() => Promise.all([first.stop(), second.stop(), stranger.stop()]))
afterEach(() => resetFaults(first, second, stranger))

describe('chains by name', () => {
  test('R27: names of the older clients, aliases, ids and hex ids', async () => {
    const rpcUrls = [first.url]
    const ids = [1, 5, 11155111, 137, 80001, 56, 97, 43114, 250, 11297108109, 25, 42161]
    const chains = await readChains({ chains: ids.map((id) => ({ id, rpcUrls })) })
    const expected = {
      eth: 1,
      '0x1': 1,
      goerli: 5,
      '0x5': 5,
      sepolia: 11155111,
      '0xaa36a7': 11155111,
      polygon: 137,
      '0x89': 137,
      mumbai: 80001,
      '0x13881': 80001,
      bsc: 56,
      '0x38': 56,
      'bsc testnet': 97,
      '0x61': 97,
      avalanche: 43114,
      '0xa86a': 43114,
      fantom: 250,
      '0xfa': 250,
      palm: 11297108109,
      '0x2a15c308d': 11297108109,
      cronos: 25,
      '0x19': 25,
      arbitrum: 42161,
      '0xa4b1': 42161,
      mainnet: 1,
      matic: 137,
      binance: 56,
      avax: 43114,
      ' ETH ': 1,
      '0XA4B1': 42161,
      '137': 137,
    }
    for (const [name, id] of Object.entries(expected)) expect([name, chains.find(name)?.id]).toEqual([name, id])
    expect(chains.find(137)?.name).toBe('polygon')
    expect(chains.all().map(({ id }) => id)).toEqual(ids)
  })

  test('a chain that is not there is refused with those that are; one without a node says so', async () => {
    const chains = await readChains({
      chains: [
        {
          id: 777,
          name: 'ours',
          aliases: ['home'],
          rpcUrls: [first.url],
          nativeCurrency: { name: 'Nut', symbol: 'NUT' },
        },
      ],
    })
    expect(chains.get('HOME')).toMatchObject({ id: 777, name: 'ours', nativeCurrency: { symbol: 'NUT', decimals: 18 } })
    expect(() => chains.get('nowhere')).toThrow(
      expect.objectContaining({ code: 162, details: expect.stringContaining('ours') }),
    )
    expect(() => chains.get('eth')).toThrow(
      expect.objectContaining({ code: 108, message: 'No node is configured for eth.' }),
    )
    expect(chains.find('eth')).toBeUndefined()
  })

  test('public nodes: on in development, off in production, off where the operator says so', async () => {
    const count = async (flags: Record<string, unknown>) =>
      createChains({ config: await readConfig({ environment: {}, folder: '/nonexistent', flags }), log }).all().length
    expect(await count({})).toBeGreaterThan(15)
    expect(await count({ production: true, masterKey: 'm', appId: 'a' })).toBe(0)
    expect(await count({ usePublicNodes: false })).toBe(0)
  })

  test('the table agrees with that of viem, and every address has its checksum', () => {
    const theirs = Object.values(viemChains) as {
      id: number
      nativeCurrency: object
      contracts?: { multicall3?: { address: string } }
    }[]
    for (const { id, name, nativeCurrency, contracts, publicNodes } of knownChains) {
      const same = theirs.find((chain) => chain.id === id)
      // Ropsten, Rinkeby and Kovan are gone; the last one's id belongs to another chain by now.
      if (!same || id === 42) continue
      expect([name, nativeCurrency]).toEqual([name, same.nativeCurrency])
      expect([name, contracts?.multicall?.toLowerCase()]).toEqual([
        name,
        same.contracts?.multicall3?.address.toLowerCase(),
      ])
      for (const url of publicNodes) expect(new URL(url).protocol).toBe('https:')
      const { v2 = [], v3 = [], stablecoins = [], wrapped, ensRegistry, multicall } = contracts ?? {}
      const addresses = [
        ...stablecoins,
        wrapped,
        ensRegistry,
        multicall,
        ...[...v2, ...v3].map(({ factory }) => factory),
      ]
      for (const address of addresses) if (address) expect(getAddress(address)).toBe(address)
    }
  })
})

describe('cache', () => {
  test('caches responses at the head until it moves, final ones forever, and drops those undone by a reorg', async () => {
    const node = await startChain()
    try {
      node.finality = 3
      const client = createDeployerClient(node)
      await node.mine(10)
      await client.sendTransaction({ to: holder, value: 5n })
      const chain = await connect([node])
      const { number } = await chain.head()
      const at = (block: number) => chain.request('eth_getBalance', [holder, `0x${block.toString(16)}`])
      expect(await chain.finalized()).toBe(number - 3)
      expect([await at(number), await at(number), await at(2), await at(2)]).toEqual(['0x5', '0x5', '0x0', '0x0'])
      expect(node.faults.calls.eth_getBalance).toBe(2)

      await node.reorg(1, () => client.sendTransaction({ to: holder, value: 9n }))
      expect(await at(number)).toBe('0x5')
      expect(await chain.head({ fresh: true })).toMatchObject({ number: number + 1 })
      expect(await at(number)).toBe('0x9')
      await at(2)
      expect(node.faults.calls.eth_getBalance).toBe(3)
    } finally {
      await node.stop()
    }
  })

  test('a transaction that is not final is looked up again when the head moves, a final one is not', async () => {
    const node = await startChain()
    try {
      node.finality = 2
      const client = createDeployerClient(node)
      const hash = await client.sendTransaction({ to: holder, value: 5n })
      const chain = await connect([node])
      const look = () => chain.request('eth_getTransactionReceipt', [hash])
      await chain.head()
      expect(await look()).toMatchObject({ status: '0x1' })
      await look()
      expect(node.faults.calls.eth_getTransactionReceipt).toBe(1)
      await node.reorg(1)
      await chain.head({ fresh: true })
      expect(await look()).toBeNull()
      const kept = await client.sendTransaction({ to: holder, value: 6n })
      await node.mine(4)
      await chain.head({ fresh: true })
      const again = () => chain.request('eth_getTransactionReceipt', [kept])
      const receipt = await again()
      await node.mine(1)
      await chain.head({ fresh: true })
      node.faults.calls = {}
      expect(await again()).toEqual(receipt)
      expect(node.faults.calls).toEqual({})
    } finally {
      await node.stop()
    }
  })

  test('computes a value once until the head moves, or once forever; a failure is not cached', async () => {
    const chain = await connect([first])
    let made = 0
    const make = (final: boolean) => async () => {
      made++
      await new Promise((resolve) => setTimeout(resolve, 5))
      return { value: `text ${made}`, final }
    }
    const both = await Promise.all([chain.remember('a', make(false)), chain.remember('a', make(false))])
    expect(both).toEqual([
      { value: 'text 1', source: 'node' },
      { value: 'text 1', source: 'node' },
    ])
    expect(await chain.remember('a', make(false))).toEqual({ value: 'text 1', source: 'cache' })
    expect(await chain.remember('b', make(true))).toEqual({ value: 'text 2', source: 'node' })
    await first.mine()
    await chain.head({ fresh: true })
    expect(await chain.remember('a', make(false))).toEqual({ value: 'text 3', source: 'node' })
    expect(await chain.remember('b', make(true))).toEqual({ value: 'text 2', source: 'cache' })
    await expect(chain.remember('c', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await chain.remember('c', make(false))).toEqual({ value: 'text 4', source: 'node' })
    const late = chain.remember('d', async () => {
      await first.mine()
      await chain.head({ fresh: true })
      return { value: 'of which head?' }
    })
    await late
    expect((await chain.remember('d', make(false))).source).toBe('node')
  })

  test('the head is asked for once in its time for all callers', async () => {
    const chain = await connect([first])
    await Promise.all([chain.head(), chain.head(), chain.head()])
    await chain.head()
    expect(first.faults.calls.eth_getBlockByNumber).toBe(2)
    const quick = await connect([first], { headCacheTtl: 200 })
    const before = await quick.head()
    await first.mine()
    await vi.waitFor(async () => expect((await quick.head()).number).toBe(before.number + 1), patience)
  })

  test('finality: the depth of the settings, else what the node says, else the usual one', async () => {
    await first.mine(80)
    const head = (await (await connect([first])).head()).number
    expect(await (await connect([first], { finality: 7 })).finalized()).toBe(head - 7)
    first.finality = 12
    expect(await (await connect([first])).finalized()).toBe(head - 12)
    first.faults.answer = (method, params) => {
      if (method === 'eth_getBlockByNumber' && params[0] === 'finalized')
        throw new RpcError({ code: -32602, message: 'invalid argument 0: hex string without 0x prefix' })
      return undefined
    }
    expect(await (await connect([first])).finalized()).toBe(head - 64)
    first.finality = 0
  })
})

describe('multicall', () => {
  const abi = parseAbi(['function balanceOf(address) view returns (uint256)'])
  const ask = (to: string): ContractCall => ({ to, data: encodeFunctionData({ abi, args: [holder] }) })

  test('its coding is that of viem', () => {
    const calls: ContractCall[] = [
      { to: holder, data: '0x' },
      { to: '0x00000000000000000000000000000000000000BB', data: `0x${'12'.repeat(33)}` },
    ]
    const args = [
      calls.map(({ to, data }) => ({ target: getAddress(to), allowFailure: true, callData: data })),
    ] as const
    expect(encodeAggregate(calls)).toBe(encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args }))
    expect(decodeAggregate('0x', 2)).toBeUndefined()
    expect(decodeAggregate(`0x${'ff'.repeat(96)}`, 2)).toBeUndefined()
  })

  test('one call for many reads, at one block; failures are reported one by one; without the contract one by one', async () => {
    const client = createDeployerClient(first)
    const [multicall, token, refusing] = await Promise.all([
      deployContract(first, getArtifact('Multicall3')),
      deployContract(first, getArtifact('Token'), ['One', 'ONE', 18]),
      deployContract(first, getArtifact('Reverting')),
    ])
    await client.writeContract({
      address: token,
      abi: getArtifact('Token').abi,
      functionName: 'mint',
      args: [holder, 77n],
    })
    const calls = [ask(token), ask(refusing), ask(holder), ask(token)]
    const value = `0x${'4d'.padStart(64, '0')}`
    const expected = [
      { success: true, data: value },
      { success: false, data: '0x' },
      { success: true, data: '0x' },
      { success: true, data: value },
    ]
    first.faults.calls = {}
    const withIt = await connect([first], { contracts: { multicall } })
    expect(await withIt.multicall(calls)).toEqual(expected)
    expect(first.faults.calls.eth_call).toBe(1)
    const { number } = await withIt.head()
    expect((await withIt.multicall(calls, number - 1))[0]).toEqual({ success: true, data: `0x${'0'.repeat(64)}` })

    first.faults.calls = {}
    const without = await connect([first])
    expect(await without.multicall(calls)).toEqual(expected)
    // One try of the usual address, then one by one, of which two are the same.
    expect(first.faults.calls.eth_call).toBe(4)
    expect(await (await connect([first], { contracts: { multicall: false } })).multicall(calls)).toEqual(expected)
  })

  test('halves a batch that is too large for a node', async () => {
    const multicall = await deployContract(first, getArtifact('Multicall3'))
    const token = await deployContract(first, getArtifact('Token'), ['One', 'ONE', 18])
    first.faults.answer = (method, params) => {
      const { data = '' } = (params[0] ?? {}) as { data?: string }
      if (method === 'eth_call' && data.length > 2_000) throw new RpcError({ code: -32000, message: 'out of gas' })
      return undefined
    }
    const chain = await connect([first], { contracts: { multicall } })
    const answers = await chain.multicall(Array.from({ length: 20 }, () => ask(token)))
    expect(answers.every(({ success, data }) => success && data.length === 66)).toBe(true)
  })
})

test('a bucket lets through what it holds, makes the rest wait, and is cut once a second', async () => {
  let now = 0
  const bucket = createBucket(10, () => now)
  expect(await bucket.take(10, 0)).toBe(true)
  expect(await bucket.take(5, 0)).toBe(true)
  expect(await bucket.take(1, 100)).toBe(false)
  now = 2_000
  bucket.cut(0)
  bucket.cut(0)
  expect(bucket.rate()).toBe(6)
  now = 20_000
  expect(await bucket.take(1, 0)).toBe(true)
  expect(bucket.rate()).toBeGreaterThan(6)
})

test('NodeError carries the code of its kind', () => {
  expect(new NodeError('missingState', { message: 'x' })).toMatchObject({ code: 108, status: 400, data: '0x' })
  expect(new NodeError('unknownBlock', { message: 'x' })).toMatchObject({ code: 101, status: 404 })
})
