import { type RestoreWalletInput, restoreWallet } from '../core/actions/restoreWallet.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { Wallet } from '../core/Wallet.ts'
import { useMutation } from './useMutation.ts'

export type UseRestoreWallet = MutationState<Wallet> & {
  readonly restoreWallet: (input: RestoreWalletInput, callbacks?: Callbacks<Wallet>) => Promise<Wallet | undefined>
  readonly reset: () => void
}

/**
 * Brings back a wallet that was unlinked.
 *
 * @example
 * const { restoreWallet, status } = useRestoreWallet()
 * <button disabled={status === 'pending'} onClick={() => restoreWallet({ objectId: wallet.objectId })}>Go</button>
 */
export function useRestoreWallet(): UseRestoreWallet {
  const { state, run, reset } = useMutation(restoreWallet)
  return { ...state, restoreWallet: run, reset }
}
