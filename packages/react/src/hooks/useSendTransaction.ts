import { type SendTransactionInput, sendTransaction } from '../core/actions/sendTransaction.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { SentTransaction } from '../core/chain/ChainChoice.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useMutation } from './useMutation.ts'

export type UseSendTransaction = MutationState<SentTransaction> & {
  readonly sendTransaction: (
    input: SendTransactionInput,
    callbacks?: Callbacks<SentTransaction>,
  ) => Promise<SentTransaction | undefined>
  readonly reset: () => void
}

/**
 * Has the wallet send a transaction; call it on a click.
 *
 * @example
 * const { sendTransaction, status } = useSendTransaction()
 * <button onClick={() => sendTransaction({ to, value: 10n ** 16n })}>Pay</button>
 */
export function useSendTransaction(): UseSendTransaction {
  const { state, run, reset } = useMutation(sendTransaction)
  return { ...state, sendTransaction: run, reset }
}
