import { disconnectWallet } from '../core/actions/disconnectWallet.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useCommand } from './useCommand.ts'

export type UseDisconnectWallet = MutationState<void> & {
  readonly disconnectWallet: (callbacks?: Callbacks) => Promise<void>
  readonly reset: () => void
}

/**
 * Forgets the wallet; the session stays as it is.
 *
 * @example
 * const { disconnectWallet } = useDisconnectWallet()
 * <button onClick={() => disconnectWallet()}>Disconnect</button>
 */
export function useDisconnectWallet(): UseDisconnectWallet {
  const { state, run, reset } = useCommand(disconnectWallet)
  return { ...state, disconnectWallet: run, reset }
}
