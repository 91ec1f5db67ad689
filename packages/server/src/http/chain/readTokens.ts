import type { TokenRecord } from '@countersign/protocol'
import { listTouchedTokens } from '../../chain/index/queries/listHoldings.ts'
import { saveTokens } from '../../chain/index/writeTransfers.ts'
import type { BlockRef, BlockTag, Chain, Hex, TokenMetadata } from '../../chain/nodes/Chain.ts'
import { getTokenBalances, getTokenMetadata } from '../../chain/reads/tokens.ts'
import type { Context } from '../../context/Context.ts'

const mostNoted = 50_000

/** Reads token metadata. New tokens are stored, to be found by their symbol. */
export async function readTokens(context: Context, chain: Chain, addresses: readonly Hex[]): Promise<TokenMetadata[]> {
  const tokens = await getTokenMetadata(chain, addresses)
  const before = chain.known.savedTokens
  const fresh = tokens.filter(({ address }) => !before.has(address))
  if (before.size + fresh.length > mostNoted) before.clear()
  for (const { address } of fresh) before.add(address)
  if (fresh.length > 0) context.background.run('note tokens', () => saveTokens(context, chain.id, fresh))
  return tokens
}

export const describeToken = ({ address, name, symbol, decimals }: TokenMetadata): TokenRecord => ({
  token: address,
  ...(name !== undefined && { name }),
  ...(symbol !== undefined && { symbol }),
  ...(decimals !== undefined && { decimals }),
})

export type OwnedToken = TokenMetadata & { balance: bigint }

/** Tokens of one owner that are looked at; who was sent more than that was sent rubbish. */
const mostTokens = 5_000

/**
 * Balances of given tokens, or of all tokens the index has seen at the address. Amounts come from the contracts:
 * transfers alone are wrong for tokens that rebase or take a fee.
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
    // Of seen tokens only those with a balance are returned.
    if (balance === undefined || (!tokens && balance === 0n)) return []
    return [{ ...token, balance }]
  })
  return { tokens: found, block: held.block }
}
