import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { SendChoice, SentTransaction } from '../chain/ChainChoice.ts'
import type { IntegerLike } from '../ethers/readInteger.ts'
import { loadOnce } from '../loadOnce.ts'
import { runAction } from '../runAction.ts'

const loadSendTransfer = loadOnce(() => import('../chain/sendTransfer.ts'))

type Receiver = { readonly to: string }
type Token = { readonly address: string }

/** Amounts are whole numbers in the smallest unit; `address` is the token's contract. */
export type TransferInput = SendChoice &
  (
    | (Receiver & { readonly type?: 'native'; readonly amount: IntegerLike })
    | (Receiver & Token & { readonly type: 'erc20'; readonly amount: IntegerLike })
    | (Receiver & Token & { readonly type: 'erc721'; readonly tokenId: IntegerLike })
    | (Receiver & Token & { readonly type: 'erc1155'; readonly tokenId: IntegerLike; readonly amount: IntegerLike })
  )

/**
 * Sends the chain's own coin (`native`, the default), coins of a contract (`erc20`), or tokens (`erc721`, `erc1155`).
 * Tokens are tried out first. Call it on a click.
 *
 * @example
 * await transfer(client, {
 *   type: 'erc20',
 *   address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
 *   to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
 *   amount: 1500000n,
 * })
 */
export function transfer(
  client: Client,
  input: TransferInput,
  callbacks: Callbacks<SentTransaction> = {},
): Promise<SentTransaction | undefined> {
  return runAction(client, callbacks, async () => {
    const { sendTransfer } = await loadSendTransfer()
    return sendTransfer(client, input, callbacks.signal)
  })
}
