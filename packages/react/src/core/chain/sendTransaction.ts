import type { Address, Hex } from 'viem'
import type { Client } from '../client/Client.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import { loadOnce } from '../platform/loadOnce.ts'
import type { SendOptions, SentTransaction } from './ChainOptions.ts'
import type { IntegerLike } from './ethers.ts'

const loadSendRaw = /*#__PURE__*/ loadOnce(() => import('./sendRaw.ts'))

/** Amounts are whole numbers in the smallest unit. What is left out is the wallet's choice. */
export type SendTransactionInput = SendOptions & {
  /** Left out, `data` makes a new contract. */
  readonly to?: Address
  readonly data?: Hex
  readonly value?: IntegerLike
  readonly gas?: IntegerLike
  readonly gasPrice?: IntegerLike
  readonly maxFeePerGas?: IntegerLike
  readonly maxPriorityFeePerGas?: IntegerLike
  readonly nonce?: IntegerLike
}

/**
 * Has the wallet send a transaction. Call it on a click.
 *
 * @example
 * await sendTransaction(client, {
 *   to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
 *   value: 10n ** 16n,
 *   onHash: (hash) => console.log(`sent: ${hash}`),
 *   wait: true,
 * })
 */
export function sendTransaction(
  client: Client,
  input: SendTransactionInput,
  { signal }: ActionOptions = {},
): Promise<SentTransaction> {
  return runAction(client, async () => {
    const { sendRaw } = await loadSendRaw()
    return sendRaw(client, input, signal)
  })
}
