import { listTouchedTokens } from '../../chain/index/queries/listTouchedTokens.ts'
import type { BlockRef, BlockTag, Chain, Hex } from '../../chain/nodes/Chain.ts'
import { getTokenBalances } from '../../chain/reads/getTokenBalances.ts'
import type { TokenMetadata } from '../../chain/reads/getTokenMetadata.ts'
import type { Context } from '../../context/Context.ts'
import { readTokens } from './readTokens.ts'

export type OwnedToken = TokenMetadata & { balance: bigint }

/** Tokens of one owner that are looked at; who was sent more than that was sent rubbish. */
const mostTokens = 5_000

/**
 * What an address holds of given tokens, or of all that the index knows it to have touched. How much, the contracts
 * themselves say: transfers alone would be wrong for tokens that grow or take a fee.
 */
export async function readTokenBalances(
  context: Context,
  chain: Chain,
  { owner, tokens, block }: { owner: Hex; tokens?: readonly Hex[] | undefined; block: BlockTag },
): Promise<{ tokens: OwnedToken[]; block: BlockRef }> {
  const wanted = tokens ?? ((await listTouchedTokens(context, chain.id, owner, mostTokens)) as Hex[])
  const [held, metadata] = await Promise.all([
    getTokenBalances(chain, { owner, tokens: wanted, block }),
    readTokens(context, chain, wanted),
  ])
  const found = metadata.flatMap((token, place): OwnedToken[] => {
    const balance = held.balances[place]?.balance
    // Of what was touched, only what is still held is of interest.
    if (balance === undefined || (!tokens && balance === 0n)) return []
    return [{ ...token, balance }]
  })
  return { tokens: found, block: held.block }
}
