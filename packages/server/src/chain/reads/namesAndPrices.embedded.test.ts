import { encodeAbiParameters, namehash, parseEther, zeroAddress } from 'viem'
import { labelhash } from 'viem/ens'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Chain as TestChain } from '../../testing/chain/Chain.ts'
import { alice, bob, createContracts, creator } from '../../testing/chain/createContracts.ts'
import { createDeployerClient } from '../../testing/chain/createDeployerClient.ts'
import { getArtifact } from '../../testing/chain/getArtifact.ts'
import type { Hex } from '../nodes/Chain.ts'
import { findAvatar, findTextRecord, nameHash, resolveName, reverseName } from './ens.ts'
import { getPairAddress, getPairReserves } from './pairs.ts'
import { getTokenPrices, getUsdValue } from './prices.ts'

let node: TestChain
let client: ReturnType<typeof createDeployerClient>

beforeAll(async () => {
  node = await (await import('../../testing/chain/startChain.ts')).startChain()
  client = createDeployerClient(node)
})
afterAll(() => node.stop())

const { deploy, write, connect, head, clearFaults } = createContracts(() => node)

afterEach(clearFaults)

describe('names', () => {
  test('R27: forward, reverse only where it leads back, text, avatars', async () => {
    const [registry, resolver] = [await deploy('NameRegistry'), await deploy('NameResolver')]
    const own = (parent: string, label: string, by: Hex | typeof zeroAddress = resolver) =>
      write(
        'NameRegistry',
        registry,
        'setSubnodeRecord',
        parent ? namehash(parent) : `0x${'0'.repeat(64)}`,
        labelhash(label),
        creator,
        by,
        0n,
      )
    const point = (name: string, to: Hex) => write('NameResolver', resolver, 'setAddr', namehash(name), to)
    const claim = async (address: Hex, name: string) => {
      await own('addr.reverse', address.slice(2))
      await write('NameResolver', resolver, 'setName', namehash(`${address.slice(2)}.addr.reverse`), name)
    }
    const say = (name: string, key: string, text: string) =>
      write('NameResolver', resolver, 'setText', namehash(name), key, text)
    await own('', 'eth', zeroAddress)
    await own('', 'reverse', zeroAddress)
    await own('reverse', 'addr', zeroAddress)
    await own('eth', 'alice')
    await own('eth', 'empty')
    await point('alice.eth', alice)
    const chain = await connect({ contracts: { ensRegistry: registry } })

    expect(await resolveName(chain, 'Alice.eth')).toMatchObject({
      name: 'alice.eth',
      address: alice,
      resolver,
      block: { number: await head() },
    })
    expect(await resolveName(chain, 'empty.eth')).toBeUndefined()
    expect(await resolveName(chain, 'nobody.eth')).toBeUndefined()
    for (const bad of ['', 'eth', 'a..eth', 'al ice.eth', `${'a'.repeat(300)}.eth`])
      await expect(resolveName(chain, bad)).rejects.toMatchObject({ code: 162 })
    await expect(resolveName(await connect(), 'alice.eth')).rejects.toMatchObject({ code: 108 })

    expect(await reverseName(chain, alice)).toBeUndefined()
    await claim(alice, 'alice.eth')
    expect(await reverseName(chain, alice)).toMatchObject({ name: 'alice.eth' })
    // Bob claims a foreign name, an invalid one, and one in a wrong spelling.
    for (const forged of ['alice.eth', 'nobody.eth', 'not a name', '']) {
      await claim(bob, forged)
      expect(await reverseName(chain, bob)).toBeUndefined()
    }
    await claim(alice, 'ALICE.eth')
    expect(await reverseName(chain, alice)).toBeUndefined()

    expect(await findTextRecord(chain, 'alice.eth', 'url')).toBeUndefined()
    await say('alice.eth', 'url', 'https://alice.example')
    expect(await findTextRecord(chain, 'alice.eth', 'url')).toBe('https://alice.example')
    expect(await findAvatar(chain, 'alice.eth')).toBeUndefined()
    await say('alice.eth', 'avatar', 'ipfs://picture')
    expect(await findAvatar(chain, 'alice.eth')).toEqual({ kind: 'url', url: 'ipfs://picture' })
    await say('alice.eth', 'avatar', 'javascript:alert(1)')
    expect(await findAvatar(chain, 'alice.eth')).toBeUndefined()
    const pictures = await deploy('Pictures', 'P', 'P')
    await write('Pictures', pictures, 'mint', alice, 1n, 'https://x.example/1')
    await write('Pictures', pictures, 'mint', bob, 2n, 'https://x.example/2')
    await say('alice.eth', 'avatar', `eip155:${node.chainId}/erc721:${pictures}/1`)
    expect(await findAvatar(chain, 'alice.eth')).toEqual({
      kind: 'nft',
      token: pictures,
      tokenId: 1n,
      standard: 'erc721',
      uri: 'https://x.example/1',
    })
    await say('alice.eth', 'avatar', `eip155:${node.chainId}/erc721:${pictures}/2`)
    expect(await findAvatar(chain, 'alice.eth')).toBeUndefined()
  })

  test('R27: a parent that resolves for its names (ENSIP-10)', async () => {
    const registry = await deploy('NameRegistry')
    const answer = encodeAbiParameters([{ type: 'bytes' }], [encodeAbiParameters([{ type: 'address' }], [bob])])
    const wildcard = await deploy('FixedAnswer', answer)
    await write(
      'NameRegistry',
      registry,
      'setSubnodeRecord',
      `0x${'0'.repeat(64)}`,
      labelhash('many'),
      creator,
      wildcard,
      0n,
    )
    const chain = await connect({ contracts: { ensRegistry: registry } })
    expect(await resolveName(chain, 'any.one.many')).toMatchObject({ address: bob })
  })

  test('a name of very many labels costs one hash for each, not one for each pair', async () => {
    const labels = Array.from({ length: 127 }, (_, place) => String.fromCharCode(97 + (place % 26)))
    await nameHash('alice.eth')
    const before = process.cpuUsage()
    const { node: own, parents } = await nameHash(labels.join('.'))
    const { user } = process.cpuUsage(before)
    expect([own, ...parents]).toEqual(labels.map((_, place) => namehash(labels.slice(place).join('.'))))
    // Together they would take some hundreds of milliseconds.
    expect(user).toBeLessThan(150_000)
  })
})

describe('pools and prices', () => {
  test('R27: pairs, reserves and prices of v2 and v3 pools; the deepest counts; unknown is unknown', async () => {
    const [v2, v3] = [await deploy('PairFactory'), await deploy('PoolFactory')]
    const [weth, usdc] = [
      await deploy('Token', 'Wrapped Ether', 'WETH', 18),
      await deploy('Token', 'USD Coin', 'USDC', 6),
    ]
    const [cat, dog, lone] = [
      await deploy('Token', 'Cat', 'CAT', 18),
      await deploy('Token', 'Dog', 'DOG', 8),
      await deploy('Token', 'Lone', 'LONE', 18),
    ]
    const fill = async (pool: Hex, ...parts: [Hex, bigint][]) => {
      for (const [token, amount] of parts) await write('Token', token, 'mint', pool, amount)
    }
    const createPair = async (...parts: [[Hex, bigint], [Hex, bigint]]) => {
      await write('PairFactory', v2, 'createPair', parts[0][0], parts[1][0])
      const { number } = await client.getBlock()
      const pair = (await client.readContract({
        address: v2,
        abi: getArtifact('PairFactory').abi,
        functionName: 'getPair',
        args: [parts[0][0], parts[1][0]],
        blockNumber: number,
      })) as string
      await fill(pair.toLowerCase() as Hex, ...parts)
      await write('Pair', pair as Hex, 'sync')
      return pair.toLowerCase() as Hex
    }
    const createPool = async (fee: number, price: bigint, ...parts: [[Hex, bigint], [Hex, bigint]]) => {
      await write('PoolFactory', v3, 'createPool', parts[0][0], parts[1][0], fee)
      const pool = (await client.readContract({
        address: v3,
        abi: getArtifact('PoolFactory').abi,
        functionName: 'getPool',
        args: [parts[0][0], parts[1][0], fee],
      })) as string
      await fill(pool.toLowerCase() as Hex, ...parts)
      await write('Pool', pool as Hex, 'set', price, 1n)
      return pool.toLowerCase() as Hex
    }
    const ether = (amount: number) => parseEther(String(amount))
    const dollars = (amount: number) => BigInt(amount) * 1_000_000n
    // 1 WETH = 2,000 USDC; 1 CAT = 0.0005 WETH = 1 USDC; a shallow pool says that a CAT is worth 50.
    const main = await createPair([weth, ether(100)], [usdc, dollars(200_000)])
    const catPair = await createPair([cat, ether(20_000)], [weth, ether(10)])
    await createPair([cat, ether(1)], [usdc, dollars(50)])
    // A DOG (8 decimals) is 4 USDC (6 decimals): token1 / token0 by smallest units is 0.04 or 25.
    const ratio = (numerator: bigint, denominator: bigint) => sqrt((numerator << 192n) / denominator)
    const dogFirst = dog < usdc
    const dogPrice = dogFirst ? ratio(4_000_000n, 100_000_000n) : ratio(100_000_000n, 4_000_000n)
    const dogPool = await createPool(500, dogPrice, [dog, 1_000n], [usdc, dollars(5_000)])
    await createPool(3_000, dogPrice / 2n, [dog, 1_000n], [usdc, dollars(50)])

    const contracts = {
      multicall: await deploy('Multicall3'),
      v2: [{ name: 'pairs', factory: v2 }],
      v3: [{ name: 'pools', factory: v3 }],
      wrapped: weth,
      stablecoins: [usdc],
    }
    const chain = await connect({ contracts, headCacheTtl: 60_000 })
    await chain.head()
    node.faults.calls = {}
    const [catPrice, dogsPrice, lonePrice, wethPrice, nobody] = await getTokenPrices(chain, {
      tokens: [cat, dog, lone, weth, alice],
    })
    expect(node.faults.calls.eth_call).toBe(3)
    expect(catPrice).toMatchObject({
      token: { symbol: 'CAT' },
      native: { value: parseEther('0.0005'), decimals: 18 },
      usd: { value: parseEther('1'), decimals: 18 },
      source: { exchange: 'pairs', kind: 'v2', pool: catPair, quote: weth, depth: ether(10) },
      block: { number: await head() },
    })
    expect(dogsPrice?.source).toMatchObject({ exchange: 'pools', kind: 'v3', pool: dogPool, quote: usdc })
    expect(Number(dogsPrice?.usd?.value) / 1e18).toBeCloseTo(4, 5)
    expect(Number(dogsPrice?.native?.value) / 1e18).toBeCloseTo(0.002, 8)
    expect(wethPrice).toMatchObject({
      native: { value: ether(1) },
      usd: { value: ether(2_000) },
      source: { pool: main },
    })
    expect([lonePrice, nobody]).toEqual([undefined, undefined])
    // However many of them there are: the pool holds 10 WETH.
    if (!catPrice || !wethPrice) throw new Error('There are no prices.')
    expect(getUsdValue(catPrice, ether(3), 18)).toBe(ether(3))
    expect(getUsdValue(catPrice, 2n ** 256n - 1n, 18)).toBe(ether(20_000))
    expect(getUsdValue(wethPrice, ether(1_000_000), 18)).toBe(ether(2_000_000_000))
    expect(await getTokenPrices(chain, { tokens: [cat], exchange: 'pools' })).toEqual([undefined])
    await expect(getTokenPrices(chain, { tokens: [cat], exchange: 'nowhere' })).rejects.toMatchObject({ code: 162 })
    await expect(getTokenPrices(await connect(), { tokens: [cat] })).rejects.toMatchObject({ code: 108 })

    expect(await getPairAddress(chain, { tokenA: weth, tokenB: cat, exchange: 'pairs' })).toMatchObject({
      pair: catPair,
      token0: cat < weth ? cat : weth,
    })
    expect((await getPairAddress(chain, { tokenA: dog, tokenB: usdc, exchange: 'pools' })).pair).toBe(dogPool)
    await expect(getPairAddress(chain, { tokenA: dog, tokenB: cat, exchange: 'pairs' })).rejects.toMatchObject({
      code: 101,
    })
    await expect(getPairAddress(chain, { tokenA: dog, tokenB: cat, exchange: 'x' })).rejects.toMatchObject({
      code: 162,
    })
    const catFirst = cat < weth
    expect(await getPairReserves(chain, { pair: catPair })).toMatchObject({
      reserve0: catFirst ? ether(20_000) : ether(10),
      reserve1: catFirst ? ether(10) : ether(20_000),
    })
    await expect(getPairReserves(chain, { pair: alice })).rejects.toMatchObject({ code: 162 })
  })
})

function sqrt(value: bigint): bigint {
  let root = 1n << BigInt(value.toString(2).length >> 1)
  for (let next = (root + value / root) >> 1n; next !== root && next !== root - 1n; next = (root + value / root) >> 1n)
    root = next
  return root
}
