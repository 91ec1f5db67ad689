import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { NativeBalance, OnChain } from '../chainData/ChainData.ts'
import type { NativeBalanceInput } from '../chainData/ChainInput.ts'
import { readChain } from '../chainData/readChain.ts'

/**
 * What an address has of a chain's own coin, now or at a block.
 *
 * @example
 * const answer = await getNativeBalance(client, { address, chain: 'polygon' })
 * console.log(answer?.result.balance) // 1500000000000000000n
 */
export function getNativeBalance(
  client: Client,
  input: NativeBalanceInput = {},
  callbacks: Callbacks<OnChain<NativeBalance>> = {},
): Promise<OnChain<NativeBalance> | undefined> {
  return readChain(client, 'getNativeBalance', input, callbacks)
}
