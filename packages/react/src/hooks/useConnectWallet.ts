import { type ConnectWalletInput, connectWallet } from '../core/actions/connectWallet.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { ConnectedWallet } from '../core/wallet/WalletState.ts'
import { useMutation } from './useMutation.ts'

export type UseConnectWallet = MutationState<ConnectedWallet> & {
  readonly connectWallet: (
    input: ConnectWalletInput,
    callbacks?: Callbacks<ConnectedWallet>,
  ) => Promise<ConnectedWallet | undefined>
  readonly reset: () => void
}

/**
 * Connects a wallet; call it on a click.
 *
 * @example
 * const { connectWallet, status } = useConnectWallet()
 * <button disabled={status === 'pending'} onClick={() => connectWallet({ connector: 'injected' })}>Connect</button>
 */
export function useConnectWallet(): UseConnectWallet {
  const { state, run, reset } = useMutation(connectWallet)
  return { ...state, connectWallet: run, reset }
}
