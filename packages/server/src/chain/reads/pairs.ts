import { CountersignError } from '@countersign/protocol'
import type { BlockRef, BlockTag, Chain, ContractCall, Hex } from '../nodes/Chain.ts'
import { encodeCall, findAddress, findUint, selectors } from './abi.ts'

export type PairAddress = { exchange: string; pair: Hex; token0: Hex; token1: Hex; block: BlockRef }

/** Finds the pool of two tokens at an exchange. Of several fee tiers, the one with the largest reserves. */
export async function getPairAddress(
  chain: Chain,
  { tokenA, tokenB, exchange, block = 'latest' }: { tokenA: Hex; tokenB: Hex; exchange: string; block?: BlockTag },
): Promise<PairAddress> {
  const { v2, v3 } = chain.contracts
  const known = [...v2, ...v3].find(({ name }) => name === exchange)
  if (!known)
    throw new CountersignError('InvalidValue', `Unknown exchange ${exchange.slice(0, 60)} on ${chain.name}.`, {
      details: `Exchanges: ${[...v2, ...v3].map(({ name }) => name).join(', ') || 'none'}; see "chains" in docs/configuration.md.`,
    })
  const at = await chain.block(block)
  const [token0, token1] = tokenA < tokenB ? [tokenA, tokenB] : [tokenB, tokenA]
  const pair = v2.includes(known)
    ? await findV2(chain, known.factory, token0, token1, at.number)
    : (await listPools(chain, { pairs: [[token0, token1]], block: at.number }))
        .filter((pool) => pool.kind === 'v3' && pool.exchange === exchange)
        .sort((a, b) => (a.reserve0 * a.reserve1 < b.reserve0 * b.reserve1 ? 1 : -1))[0]?.address
  if (!pair) throw new CountersignError('ObjectNotFound', `${exchange} has no pool for these two tokens.`)
  return { exchange, pair, token0, token1, block: at }
}

async function findV2(chain: Chain, factory: string, token0: Hex, token1: Hex, block: number) {
  const [result] = await chain.multicall([{ to: factory, data: encodeCall(selectors.getPair, token0, token1) }], block)
  return result && findAddress(result)
}

/** Reads the reserves of a pool like Uniswap v2. */
export async function getPairReserves(
  chain: Chain,
  { pair, block = 'latest' }: { pair: Hex; block?: BlockTag },
): Promise<{ reserve0: bigint; reserve1: bigint; block: BlockRef }> {
  const at = await chain.block(block)
  const [result] = await chain.multicall([{ to: pair, data: selectors.getReserves }], at.number)
  const [reserve0, reserve1] = [result && findUint(result, 0), result && findUint(result, 1)]
  if (reserve0 === undefined || reserve1 === undefined)
    throw new CountersignError('InvalidValue', `There is no pool with reserves at ${pair}.`)
  return { reserve0, reserve1, block: at }
}

export type Pool = {
  exchange: string
  kind: 'v2' | 'v3'
  address: Hex
  token0: Hex
  token1: Hex
  /** Of the exchange, in millionths; 3,000 in v2. */
  fee: number
  /** Reserves of the pool. */
  reserve0: bigint
  reserve1: bigint
  /** Price by the square root of token1 in token0, in v3 alone. */
  sqrtPriceX96: bigint | undefined
}

const fees = [100n, 500n, 2_500n, 3_000n, 10_000n]

/** Pools of token pairs on the known exchanges, with their reserves at a block. Empty ones are left out. */
export async function listPools(
  chain: Chain,
  { pairs, block }: { pairs: readonly (readonly [Hex, Hex])[]; block: number },
): Promise<Pool[]> {
  const found = await findPools(chain, pairs, block)
  const calls = found.flatMap(({ kind, address, token0, token1 }): ContractCall[] =>
    kind === 'v2'
      ? [{ to: address, data: selectors.getReserves }]
      : [
          { to: address, data: selectors.slot0 },
          { to: address, data: selectors.liquidity },
          { to: token0, data: encodeCall(selectors.balanceOf, address) },
          { to: token1, data: encodeCall(selectors.balanceOf, address) },
        ],
  )
  const results = await chain.multicall(calls, block)
  let place = 0
  return found.flatMap((pool): Pool[] => {
    const mine = results.slice(place, place + (pool.kind === 'v2' ? 1 : 4))
    place += mine.length
    const word = (index: number, at = 0) => (mine[index] && findUint(mine[index], at)) ?? 0n
    if (pool.kind === 'v2') {
      const [reserve0, reserve1] = [word(0, 0), word(0, 1)]
      return reserve0 && reserve1 ? [{ ...pool, reserve0, reserve1, sqrtPriceX96: undefined }] : []
    }
    const [sqrtPriceX96, liquidity, reserve0, reserve1] = [word(0), word(1), word(2), word(3)]
    return sqrtPriceX96 && liquidity ? [{ ...pool, reserve0, reserve1, sqrtPriceX96 }] : []
  })
}

type Place = Omit<Pool, 'reserve0' | 'reserve1' | 'sqrtPriceX96'>

async function findPools(chain: Chain, pairs: readonly (readonly [Hex, Hex])[], block: number): Promise<Place[]> {
  const asked = pairs.flatMap(([a, b]) => {
    const [token0, token1] = a < b ? [a, b] : [b, a]
    const v2 = chain.contracts.v2.map(({ name, factory }) => ({
      place: { exchange: name, kind: 'v2' as const, token0, token1, fee: 3_000 },
      call: { to: factory, data: encodeCall(selectors.getPair, token0, token1) },
    }))
    const v3 = chain.contracts.v3.flatMap(({ name, factory }) =>
      fees.map((fee) => ({
        place: { exchange: name, kind: 'v3' as const, token0, token1, fee: Number(fee) },
        call: { to: factory, data: encodeCall(selectors.getPool, token0, token1, fee) },
      })),
    )
    return [...v2, ...v3]
  })
  const results = await chain.multicall(
    asked.map(({ call }) => call),
    block,
  )
  return asked.flatMap(({ place }, index): Place[] => {
    const result = results[index]
    const address = result && findAddress(result)
    return address ? [{ ...place, address }] : []
  })
}
