import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { OnChain, TokenBalance } from '../chainData/ChainData.ts'
import type { TokenBalancesInput } from '../chainData/ChainInput.ts'
import { readChain } from '../chainData/readChain.ts'

/**
 * The ERC-20 tokens of an address: all that the server's index knows of, or those that are named.
 *
 * @example
 * const answer = await listTokenBalances(client, { address, tokens: [usdc] })
 * console.log(answer?.result[0]?.balance) // 3000000n
 */
export function listTokenBalances(
  client: Client,
  input: TokenBalancesInput = {},
  callbacks: Callbacks<OnChain<readonly TokenBalance[]>> = {},
): Promise<OnChain<readonly TokenBalance[]> | undefined> {
  return readChain(client, 'listTokenBalances', input, callbacks)
}
