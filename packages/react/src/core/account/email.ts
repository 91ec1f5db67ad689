import type { Client } from '../client/Client.ts'
import type { ActionOptions } from '../client/runAction.ts'
import type { Mail } from '../values/records.ts'
import { runAccountAction } from './runAccountAction.ts'

export type RequestEmailVerificationInput = { email: string }

/**
 * Has the server send the mail that verifies an address once more.
 *
 * @example
 * await requestEmailVerification(client, { email: 'ada@example.org' })
 */
export function requestEmailVerification(
  client: Client,
  input: RequestEmailVerificationInput,
  options?: ActionOptions,
): Promise<void> {
  return runAccountAction(client, options, (account, signal) =>
    account.requestEmailVerification(client, input.email, signal),
  )
}

export type VerifyEmailInput = { token: string }

/**
 * Verifies an e-mail address with the token of the mailed link. A user who is signed in is read again.
 *
 * @example
 * await verifyEmail(client, { token: 'from-the-link' })
 */
export function verifyEmail(client: Client, input: VerifyEmailInput, options?: ActionOptions): Promise<void> {
  return runAccountAction(client, options, (account, signal) => account.verifyEmail(client, input.token, signal))
}

export type UndoEmailChangeInput = { token: string }

/**
 * Brings a changed or removed e-mail address back with the token of the link that was mailed to it. Every session ends
 * and the password is removed; the answer is the token for a new one (`resetPassword`).
 *
 * @example
 * const token = await undoEmailChange(client, { token: 'from-the-link' })
 */
export function undoEmailChange(client: Client, input: UndoEmailChangeInput, options?: ActionOptions): Promise<string> {
  return runAccountAction(client, options, (account, signal) => account.undoEmailChange(client, input.token, signal))
}

/**
 * The mails that the server kept because it has no SMTP server, for developers to read.
 *
 * @example
 * const link = (await listOutbox(client))?.[0]?.link
 */
export function listOutbox(client: Client, options?: ActionOptions): Promise<readonly Mail[]> {
  return runAccountAction(client, options, (account, signal) => account.listOutbox(client, signal))
}
