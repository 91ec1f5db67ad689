import { addChain } from '../core/actions/addChain.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { Chain } from '../core/wallet/Chain.ts'
import { useMutation } from './useMutation.ts'

export type UseAddChain = MutationState<void> & {
  readonly addChain: (input: Chain, callbacks?: Callbacks) => Promise<void>
  readonly reset: () => void
}

/**
 * Tells the connected wallet of a chain.
 *
 * @example
 * const { addChain } = useAddChain()
 * <button onClick={() => addChain(base)}>Add Base</button>
 */
export function useAddChain(): UseAddChain {
  const { state, run, reset } = useMutation(addChain)
  return { ...state, addChain: run, reset }
}
