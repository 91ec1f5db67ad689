'use client'

import { requestEmailVerification, undoEmailChange, verifyEmail } from '../../core/account/email.ts'
import { type ActionHook, useAction } from '../client/useMutation.ts'

export type UseRequestEmailVerification = ActionHook<'requestEmailVerification', typeof requestEmailVerification>

/**
 * Has the mail that verifies an address sent once more.
 *
 * @example
 * const { requestEmailVerification, status } = useRequestEmailVerification()
 * <button disabled={status === 'pending'} onClick={() => requestEmailVerification({ email: 'ada@example.org' })}>Go</button>
 */
export function useRequestEmailVerification(): UseRequestEmailVerification {
  return useAction('requestEmailVerification', requestEmailVerification)
}

export type UseVerifyEmail = ActionHook<'verifyEmail', typeof verifyEmail>

/**
 * Verifies an e-mail address with the token of the mailed link.
 *
 * @example
 * const { verifyEmail, status } = useVerifyEmail()
 * <button disabled={status === 'pending'} onClick={() => verifyEmail({ token })}>Go</button>
 */
export function useVerifyEmail(): UseVerifyEmail {
  return useAction('verifyEmail', verifyEmail)
}

export type UseUndoEmailChange = ActionHook<'undoEmailChange', typeof undoEmailChange>

/**
 * Brings a changed or removed e-mail address back with the token of the link that was mailed to it.
 *
 * @example
 * const { undoEmailChange, status } = useUndoEmailChange()
 * <button disabled={status === 'pending'} onClick={() => undoEmailChange({ token })}>Go</button>
 */
export function useUndoEmailChange(): UseUndoEmailChange {
  return useAction('undoEmailChange', undoEmailChange)
}
