import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { SendChoice, SentTransaction } from '../chain/ChainChoice.ts'
import type { IntegerLike } from '../ethers/readInteger.ts'
import { loadOnce } from '../loadOnce.ts'
import { runAction } from '../runAction.ts'

const loadSendRaw = loadOnce(() => import('../chain/sendRaw.ts'))

/** Amounts are whole numbers in the smallest unit. What is left out is the wallet's choice. */
export type SendTransactionInput = SendChoice & {
  /** Left out, `data` makes a new contract. */
  readonly to?: string
  readonly data?: string
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
  callbacks: Callbacks<SentTransaction> = {},
): Promise<SentTransaction | undefined> {
  return runAction(client, callbacks, async () => {
    const { sendRaw } = await loadSendRaw()
    return sendRaw(client, input, callbacks.signal)
  })
}
