import { type ChangePasswordInput, changePassword } from '../core/actions/changePassword.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useMutation } from './useMutation.ts'

export type UseChangePassword = MutationState<void> & {
  readonly changePassword: (input: ChangePasswordInput, callbacks?: Callbacks) => Promise<void>
  readonly reset: () => void
}

/**
 * Sets a new password, for which the present one is asked.
 *
 * @example
 * const { changePassword, status } = useChangePassword()
 * <button disabled={status === 'pending'} onClick={() => changePassword({ currentPassword: 'correct horse', newPassword: 'battery staple' })}>Go</button>
 */
export function useChangePassword(): UseChangePassword {
  const { state, run, reset } = useMutation(changePassword)
  return { ...state, changePassword: run, reset }
}
