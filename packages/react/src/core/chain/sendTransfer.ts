import type { Client } from '../client/Client.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import { loadOnce } from '../platform/loadOnce.ts'
import type { SendTransferInput, SentTransaction } from './ChainOptions.ts'

const loadSendTransfer = /*#__PURE__*/ loadOnce(() => import('./submitTransfer.ts'))

/**
 * Sends the chain's own coin (`native`, the default), coins of a contract (`erc20`), or tokens (`erc721`, `erc1155`).
 * Tokens are tried out first. Call it on a click.
 *
 * @example
 * await sendTransfer(client, {
 *   type: 'erc20',
 *   address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
 *   to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
 *   amount: 1500000n,
 * })
 */
export function sendTransfer(
  client: Client,
  input: SendTransferInput,
  { signal }: ActionOptions = {},
): Promise<SentTransaction> {
  return runAction(client, async () => {
    const { sendTransfer: send } = await loadSendTransfer()
    return send(client, input, signal)
  })
}
