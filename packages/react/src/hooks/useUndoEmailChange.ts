import { type UndoEmailChangeInput, undoEmailChange } from '../core/actions/undoEmailChange.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useMutation } from './useMutation.ts'

export type UseUndoEmailChange = MutationState<string> & {
  readonly undoEmailChange: (input: UndoEmailChangeInput, callbacks?: Callbacks<string>) => Promise<string | undefined>
  readonly reset: () => void
}

/**
 * Brings a changed or removed e-mail address back with the token of the link that was mailed to it.
 *
 * @example
 * const { undoEmailChange, status } = useUndoEmailChange()
 * <button disabled={status === 'pending'} onClick={() => undoEmailChange({ token })}>Go</button>
 */
export function useUndoEmailChange(): UseUndoEmailChange {
  const { state, run, reset } = useMutation(undoEmailChange)
  return { ...state, undoEmailChange: run, reset }
}
