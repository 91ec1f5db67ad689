'use client'

import { listOutbox, requestEmailVerification, undoEmailChange, verifyEmail } from '../../core/account/email.ts'
import { defineReading } from '../../core/readings/defineReading.ts'
import type { Mail } from '../../core/values/records.ts'
import { useClient } from '../client/useClient.ts'
import { type ActionHook, useAction } from '../client/useMutation.ts'
import { type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

const outboxReading = /*#__PURE__*/ defineReading<undefined, readonly Mail[]>(
  () => ({ listOutbox: {} }),
  () => ({
    read: listOutbox,
    // It needs no user, only a connection.
    owner: ({ internal }) => internal.connection?.appId,
  }),
)

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

/**
 * The mails that the server kept because it has no SMTP server.
 *
 * @example
 * const outbox = useOutbox()
 * if (outbox.status === 'success') return <a href={outbox.data[0]?.link ?? undefined}>Open the latest mail</a>
 */
export function useOutbox<Selected = readonly Mail[]>(
  options?: ReadOptions<readonly Mail[], Selected>,
): UseAsync<Selected> {
  return useReading(outboxReading(useClient(), undefined), options)
}
