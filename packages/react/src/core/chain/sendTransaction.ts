import type { Client } from '../client/Client.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import { loadOnce } from '../platform/loadOnce.ts'
import type { SendTransactionInput, SentTransaction } from './ChainOptions.ts'

const loadSendRaw = /*#__PURE__*/ loadOnce(() => import('./sendRaw.ts'))

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
