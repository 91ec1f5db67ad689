import { type UpdateWalletInput, updateWallet } from '../core/actions/updateWallet.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { Wallet } from '../core/Wallet.ts'
import { useMutation } from './useMutation.ts'

export type UseUpdateWallet = MutationState<Wallet> & {
  readonly updateWallet: (input: UpdateWalletInput, callbacks?: Callbacks<Wallet>) => Promise<Wallet | undefined>
  readonly reset: () => void
}

/**
 * Names a wallet, or makes it the primary one.
 *
 * @example
 * const { updateWallet, status } = useUpdateWallet()
 * <button disabled={status === 'pending'} onClick={() => updateWallet({ objectId: wallet.objectId, primary: true })}>Go</button>
 */
export function useUpdateWallet(): UseUpdateWallet {
  const { state, run, reset } = useMutation(updateWallet)
  return { ...state, updateWallet: run, reset }
}
