import type { TokenRecord } from '@countersign/protocol'
import { noteTokens } from '../../chain/index/noteTokens.ts'
import type { Chain, Hex } from '../../chain/nodes/Chain.ts'
import { getTokenMetadata, type TokenMetadata } from '../../chain/reads/getTokenMetadata.ts'
import type { Context } from '../../context/Context.ts'

const mostNoted = 50_000
const noted = new WeakMap<Chain, Set<string>>()

/** What tokens say of themselves. Those that are met for the first time are kept, to be found by their symbol. */
export async function readTokens(context: Context, chain: Chain, addresses: readonly Hex[]): Promise<TokenMetadata[]> {
  const tokens = await getTokenMetadata(chain, addresses)
  const before = noted.get(chain) ?? new Set()
  noted.set(chain, before)
  const fresh = tokens.filter(({ address }) => !before.has(address))
  if (before.size + fresh.length > mostNoted) before.clear()
  for (const { address } of fresh) before.add(address)
  if (fresh.length > 0) context.background.run('note tokens', () => noteTokens(context, chain.id, fresh))
  return tokens
}

export const describeToken = ({ address, name, symbol, decimals }: TokenMetadata): TokenRecord => ({
  token: address,
  ...(name !== undefined && { name }),
  ...(symbol !== undefined && { symbol }),
  ...(decimals !== undefined && { decimals }),
})
