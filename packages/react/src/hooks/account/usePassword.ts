'use client'

import { changePassword, requestPasswordReset, resetPassword } from '../../core/account/passwords.ts'
import { recoverAccount } from '../../core/account/recoverAccount.ts'
import { type ActionHook, useAction } from '../client/useMutation.ts'

export type UseChangePassword = ActionHook<'changePassword', typeof changePassword>

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

export type UseRequestPasswordReset = ActionHook<'requestPasswordReset', typeof requestPasswordReset>

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

export type UseResetPassword = ActionHook<'resetPassword', typeof resetPassword>

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

export type UseRecoverAccount = ActionHook<'recoverAccount', typeof recoverAccount>

/**
 * Undoes what somebody added to the account, with the token of the mailed link and a proof that the account had before.
 *
 * @example
 * const { recoverAccount, status } = useRecoverAccount()
 * <button disabled={status === 'pending'} onClick={() => recoverAccount({ token, passkey: true })}>Go</button>
 */
export function useRecoverAccount(): UseRecoverAccount {
  return useAction('recoverAccount', recoverAccount)
}
