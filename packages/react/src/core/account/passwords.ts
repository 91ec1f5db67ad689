import type { Client } from '../client/Client.ts'
import type { ActionOptions } from '../client/runAction.ts'
import { runAccountAction } from './runAccountAction.ts'

export type ChangePasswordInput = {
  /** An account that came by wallet or passkey has none yet; its first one needs a recent proof instead (`reauthenticate`). */
  currentPassword?: string
  newPassword: string
}

/**
 * Sets a new password, for which the server asks the present one. Every other session of the user ends.
 *
 * @example
 * await changePassword(client, { currentPassword: 'correct horse', newPassword: 'battery staple' })
 */
export function changePassword(client: Client, input: ChangePasswordInput, options?: ActionOptions): Promise<void> {
  return runAccountAction(client, options, (account, signal) => account.changePassword(client, input, signal))
}

export type RequestPasswordResetInput = { email: string }

/**
 * Has the server send a mail with a link to set a new password. The response does not reveal whether the address has an account.
 *
 * @example
 * await requestPasswordReset(client, { email: 'ada@example.org' })
 */
export function requestPasswordReset(
  client: Client,
  input: RequestPasswordResetInput,
  options?: ActionOptions,
): Promise<void> {
  return runAccountAction(client, options, (account, signal) =>
    account.requestPasswordReset(client, input.email, signal),
  )
}

export type ResetPasswordInput = { token: string; password: string }

/**
 * Sets a new password with the token of the mailed link.
 *
 * @example
 * await resetPassword(client, { token: 'from-the-link', password: 'battery staple' })
 */
export function resetPassword(client: Client, input: ResetPasswordInput, options?: ActionOptions): Promise<void> {
  return runAccountAction(client, options, (account, signal) => account.resetPassword(client, input, signal))
}
