import { type UndoMergeInput, undoMerge } from '../core/actions/undoMerge.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useMutation } from './useMutation.ts'

export type UseUndoMerge = MutationState<void> & {
  readonly undoMerge: (input: UndoMergeInput, callbacks?: Callbacks) => Promise<void>
  readonly reset: () => void
}

/**
 * Takes a merge back.
 *
 * @example
 * const { undoMerge, status } = useUndoMerge()
 * <button disabled={status === 'pending'} onClick={() => undoMerge({ objectId: preview.objectId })}>Go</button>
 */
export function useUndoMerge(): UseUndoMerge {
  const { state, run, reset } = useMutation(undoMerge)
  return { ...state, undoMerge: run, reset }
}
