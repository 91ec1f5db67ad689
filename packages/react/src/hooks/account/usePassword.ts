'use client'

import type { ChangePasswordInput, RequestPasswordResetInput, ResetPasswordInput } from '../../core/account/inputs.ts'
import { changePassword, requestPasswordReset, resetPassword } from '../../core/account/passwords.ts'
import type { ActionError } from '../../core/errors/ActionError.ts'
import type { ActionState, Run } from '../../core/readings/createMutation.ts'
import { useAction } from '../client/useMutation.ts'

export type UseChangePassword = ActionState<void, ActionError<'changePassword'>> & {
  readonly changePassword: Run<ChangePasswordInput, void, ActionError<'changePassword'>>
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
  return useAction('changePassword', changePassword)
}

export type UseRequestPasswordReset = ActionState<void, ActionError<'requestPasswordReset'>> & {
  readonly requestPasswordReset: Run<RequestPasswordResetInput, void, ActionError<'requestPasswordReset'>>
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
  return useAction('requestPasswordReset', requestPasswordReset)
}

export type UseResetPassword = ActionState<void, ActionError<'resetPassword'>> & {
  readonly resetPassword: Run<ResetPasswordInput, void, ActionError<'resetPassword'>>
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
  return useAction('resetPassword', resetPassword)
}
