import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { Ref } from '../core/documents/Document.ts'
import { destroy } from '../core/documents/destroy.ts'
import { useMutation } from './useMutation.ts'

export type UseDestroy = MutationState<void> & {
  readonly destroy: (object: Ref, callbacks?: Callbacks) => Promise<void>
  readonly reset: () => void
}

/**
 * Deletes objects; what is on show of their class is then read again.
 *
 * @example
 * const { destroy, status } = useDestroy()
 * <button disabled={status === 'pending'} onClick={() => destroy(game)}>Delete</button>
 */
export function useDestroy(): UseDestroy {
  const { state, run, reset } = useMutation(destroy)
  return { ...state, destroy: run, reset }
}
