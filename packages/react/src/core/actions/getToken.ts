import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { OnChain, Token } from '../chainData/ChainData.ts'
import type { TokenInput } from '../chainData/ChainInput.ts'
import { readChain } from '../chainData/readChain.ts'

/**
 * The name, symbol and decimals of an ERC-20 token.
 *
 * @example
 * const answer = await getToken(client, { token: '0x6B175474E89094C44Da98b954EedeAC495271d0F', chain: 'eth' })
 * console.log(answer?.result.symbol) // 'DAI'
 */
export function getToken(
  client: Client,
  input: TokenInput,
  callbacks: Callbacks<OnChain<Token>> = {},
): Promise<OnChain<Token> | undefined> {
  return readChain(client, 'getToken', input, callbacks)
}
