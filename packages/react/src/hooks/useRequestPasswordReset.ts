import { type RequestPasswordResetInput, requestPasswordReset } from '../core/actions/requestPasswordReset.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useMutation } from './useMutation.ts'

export type UseRequestPasswordReset = MutationState<void> & {
  readonly requestPasswordReset: (input: RequestPasswordResetInput, callbacks?: Callbacks) => Promise<void>
  readonly reset: () => void
}

/**
 * Has a mail sent with a link to set a new password.
 *
 * @example
 * const { requestPasswordReset, status } = useRequestPasswordReset()
 * <button disabled={status === 'pending'} onClick={() => requestPasswordReset({ email: 'ada@example.org' })}>Go</button>
 */
export function useRequestPasswordReset(): UseRequestPasswordReset {
  const { state, run, reset } = useMutation(requestPasswordReset)
  return { ...state, requestPasswordReset: run, reset }
}
