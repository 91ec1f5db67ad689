import type { Chain, ContractCall, Hex } from '../../nodes/Chain.ts'
import { encodeCall, findAddress, findUint, selectors } from '../coding.ts'

export type Pool = {
  exchange: string
  kind: 'v2' | 'v3'
  address: Hex
  token0: Hex
  token1: Hex
  /** Of the exchange, in millionths; 3,000 in v2. */
  fee: number
  /** What the pool holds. */
  reserve0: bigint
  reserve1: bigint
  /** Price by the square root of token1 in token0, in v3 alone. */
  sqrtPriceX96: bigint | undefined
}

const fees = [100n, 500n, 2_500n, 3_000n, 10_000n]

/** Pools between pairs of tokens on the exchanges that are known, with what they hold at a block. Empty ones are none. */
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
