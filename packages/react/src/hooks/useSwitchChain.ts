import { type SwitchChainInput, switchChain } from '../core/actions/switchChain.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useMutation } from './useMutation.ts'

export type UseSwitchChain = MutationState<void> & {
  readonly switchChain: (input: SwitchChainInput, callbacks?: Callbacks) => Promise<void>
  readonly reset: () => void
}

/**
 * Asks the connected wallet to change to a chain.
 *
 * @example
 * const { switchChain } = useSwitchChain()
 * <button onClick={() => switchChain({ chainId: 8453 })}>Change to Base</button>
 */
export function useSwitchChain(): UseSwitchChain {
  const { state, run, reset } = useMutation(switchChain)
  return { ...state, switchChain: run, reset }
}
