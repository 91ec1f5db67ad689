import { type MergeInput, merge } from '../core/actions/merge.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { UndoWindow } from '../core/UndoWindow.ts'
import { useMutation } from './useMutation.ts'

export type UseMerge = MutationState<UndoWindow> & {
  readonly merge: (input: MergeInput, callbacks?: Callbacks<UndoWindow>) => Promise<UndoWindow | undefined>
  readonly reset: () => void
}

/**
 * Carries out a merge that was previewed.
 *
 * @example
 * const { merge, status } = useMerge()
 * <button disabled={status === 'pending'} onClick={() => merge({ objectId: preview.objectId })}>Go</button>
 */
export function useMerge(): UseMerge {
  const { state, run, reset } = useMutation(merge)
  return { ...state, merge: run, reset }
}
