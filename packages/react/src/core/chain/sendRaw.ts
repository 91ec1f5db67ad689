import type { Client } from '../client/Client.ts'
import type { SendTransactionInput, SentTransaction } from './ChainOptions.ts'
import { readTransaction, submitTransaction } from './submitTransaction.ts'

/** Has the wallet send a transaction as it is, without trying it out. */
export async function sendRaw(
  client: Client,
  input: SendTransactionInput,
  signal: AbortSignal | undefined,
): Promise<SentTransaction> {
  const { rest, transaction } = readTransaction(input)
  return submitTransaction(client, rest, transaction, {}, signal)
}
