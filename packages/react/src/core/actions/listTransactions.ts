import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { OnChainPage, Transaction } from '../chainData/ChainData.ts'
import type { TransactionsInput } from '../chainData/ChainInput.ts'
import { readChain } from '../chainData/readChain.ts'

/**
 * A page of the transactions that an address sent or received.
 *
 * @example
 * const latest = await listTransactions(client, { address, limit: 10 })
 */
export function listTransactions(
  client: Client,
  input: TransactionsInput & { readonly cursor?: string } = {},
  callbacks: Callbacks<OnChainPage<Transaction>> = {},
): Promise<OnChainPage<Transaction> | undefined> {
  return readChain(client, 'listTransactions', input, callbacks)
}
