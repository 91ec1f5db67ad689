import { type UnlinkWalletInput, unlinkWallet } from '../core/actions/unlinkWallet.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { UndoWindow } from '../core/UndoWindow.ts'
import { useMutation } from './useMutation.ts'

export type UseUnlinkWallet = MutationState<UndoWindow> & {
  readonly unlinkWallet: (
    input: UnlinkWalletInput,
    callbacks?: Callbacks<UndoWindow>,
  ) => Promise<UndoWindow | undefined>
  readonly reset: () => void
}

/**
 * Takes a wallet from the user's account.
 *
 * @example
 * const { unlinkWallet, status } = useUnlinkWallet()
 * <button disabled={status === 'pending'} onClick={() => unlinkWallet({ objectId: wallet.objectId })}>Go</button>
 */
export function useUnlinkWallet(): UseUnlinkWallet {
  const { state, run, reset } = useMutation(unlinkWallet)
  return { ...state, unlinkWallet: run, reset }
}
