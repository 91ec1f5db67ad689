import { CountersignError } from '@countersign/protocol'
import type { BlockRef, BlockTag, Chain, Hex } from '../../nodes/Chain.ts'
import { encodeCall, findAddress, selectors } from '../coding.ts'
import { listPools } from './listPools.ts'

export type PairAddress = { exchange: string; pair: Hex; token0: Hex; token1: Hex; block: BlockRef }

/** Where an exchange trades two tokens; of several pools of different fees the one that holds most. */
export async function getPairAddress(
  chain: Chain,
  { tokenA, tokenB, exchange, block = 'latest' }: { tokenA: Hex; tokenB: Hex; exchange: string; block?: BlockTag },
): Promise<PairAddress> {
  const { v2, v3 } = chain.contracts
  const known = [...v2, ...v3].find(({ name }) => name === exchange)
  if (!known)
    throw new CountersignError('InvalidValue', `The exchange ${exchange.slice(0, 60)} is not known on ${chain.name}.`, {
      details: `Exchanges: ${[...v2, ...v3].map(({ name }) => name).join(', ') || 'none'}; see "chains" in docs/configuration.md.`,
    })
  const at = await chain.block(block)
  const [token0, token1] = tokenA < tokenB ? [tokenA, tokenB] : [tokenB, tokenA]
  const pair = v2.includes(known)
    ? await findV2(chain, known.factory, token0, token1, at.number)
    : (await listPools(chain, { pairs: [[token0, token1]], block: at.number }))
        .filter((pool) => pool.kind === 'v3' && pool.exchange === exchange)
        .sort((a, b) => (a.reserve0 * a.reserve1 < b.reserve0 * b.reserve1 ? 1 : -1))[0]?.address
  if (!pair) throw new CountersignError('ObjectNotFound', `${exchange} has no pool of these two tokens.`)
  return { exchange, pair, token0, token1, block: at }
}

async function findV2(chain: Chain, factory: string, token0: Hex, token1: Hex, block: number) {
  const [result] = await chain.multicall([{ to: factory, data: encodeCall(selectors.getPair, token0, token1) }], block)
  return result && findAddress(result)
}
