import { type ResetPasswordInput, resetPassword } from '../core/actions/resetPassword.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useMutation } from './useMutation.ts'

export type UseResetPassword = MutationState<void> & {
  readonly resetPassword: (input: ResetPasswordInput, callbacks?: Callbacks) => Promise<void>
  readonly reset: () => void
}

/**
 * Sets a new password with the token of the mailed link.
 *
 * @example
 * const { resetPassword, status } = useResetPassword()
 * <button disabled={status === 'pending'} onClick={() => resetPassword({ token, password: 'battery staple' })}>Go</button>
 */
export function useResetPassword(): UseResetPassword {
  const { state, run, reset } = useMutation(resetPassword)
  return { ...state, resetPassword: run, reset }
}
