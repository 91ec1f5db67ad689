import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { OnChain, TokenPrice } from '../chainData/ChainData.ts'
import type { TokenPriceInput } from '../chainData/ChainInput.ts'
import { readChain } from '../chainData/readChain.ts'

/**
 * What a token costs, by the deepest pool on the chain that is known; null where there is none.
 *
 * @example
 * const price = await findTokenPrice(client, { token, chain: 'eth' })
 * console.log(price?.result.usd, price?.result.from?.exchange)
 */
export function findTokenPrice(
  client: Client,
  input: TokenPriceInput,
  callbacks: Callbacks<OnChain<TokenPrice> | null> = {},
): Promise<OnChain<TokenPrice> | null | undefined> {
  return readChain(client, 'getTokenPrice', input, callbacks)
}
