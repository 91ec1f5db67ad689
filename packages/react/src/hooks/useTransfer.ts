import { type TransferInput, transfer } from '../core/actions/transfer.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { SentTransaction } from '../core/chain/ChainChoice.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useMutation } from './useMutation.ts'

export type UseTransfer = MutationState<SentTransaction> & {
  readonly transfer: (
    input: TransferInput,
    callbacks?: Callbacks<SentTransaction>,
  ) => Promise<SentTransaction | undefined>
  readonly reset: () => void
}

/**
 * Sends coins or tokens; call it on a click.
 *
 * @example
 * const { transfer, status } = useTransfer()
 * <button onClick={() => transfer({ to, amount: parseEther('0.01') })}>Pay</button>
 */
export function useTransfer(): UseTransfer {
  const { state, run, reset } = useMutation(transfer)
  return { ...state, transfer: run, reset }
}
