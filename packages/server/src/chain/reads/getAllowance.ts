import { CountersignError } from '@countersign/protocol'
import type { BlockRef, BlockTag, Chain, Hex } from '../nodes/Chain.ts'
import { encodeCall, findUint, selectors } from './coding.ts'

/** How much of a token a spender may take from its owner. */
export async function getAllowance(
  chain: Chain,
  { token, owner, spender, block = 'latest' }: { token: Hex; owner: Hex; spender: Hex; block?: BlockTag },
): Promise<{ allowance: bigint; block: BlockRef }> {
  const at = await chain.block(block)
  const [result] = await chain.multicall(
    [{ to: token, data: encodeCall(selectors.allowance, owner, spender) }],
    at.number,
  )
  const allowance = result && findUint(result)
  if (allowance === undefined) throw new CountersignError('InvalidValue', `There is no ERC-20 token at ${token}.`)
  return { allowance, block: at }
}
