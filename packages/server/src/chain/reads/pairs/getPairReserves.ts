import { CountersignError } from '@countersign/protocol'
import type { BlockRef, BlockTag, Chain, Hex } from '../../nodes/Chain.ts'
import { findUint, selectors } from '../coding.ts'

/** What a pool in the shape of Uniswap v2 holds. */
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
