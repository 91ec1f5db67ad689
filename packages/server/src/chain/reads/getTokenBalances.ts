import type { BlockRef, BlockTag, Chain, Hex } from '../nodes/Chain.ts'
import { encodeCall, findUint, selectors } from './coding.ts'

/** What an address has of given tokens, all at one block. Undefined where there is no token. */
export async function getTokenBalances(
  chain: Chain,
  { owner, tokens, block = 'latest' }: { owner: Hex; tokens: readonly Hex[]; block?: BlockTag },
): Promise<{ balances: { token: Hex; balance: bigint | undefined }[]; block: BlockRef }> {
  const at = await chain.block(block)
  const data = encodeCall(selectors.balanceOf, owner)
  const results = await chain.multicall(
    tokens.map((to) => ({ to, data })),
    at.number,
  )
  return {
    balances: tokens.map((token, place) => {
      const result = results[place]
      return { token, balance: result && findUint(result) }
    }),
    block: at,
  }
}
