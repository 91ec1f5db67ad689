import type { Client } from '../client/Client.ts'
import type { ActionOptions } from '../client/runAction.ts'
import type { AccountSecurity } from '../values/records.ts'
import { runAccountAction } from './runAccountAction.ts'

/**
 * How many recovery codes the user has left, and whether sign-ins on new devices are reported by mail.
 *
 * @example
 * const security = await getAccountSecurity(client)
 * const isLow = security !== undefined && security.recoveryCodes.left < 3
 */
export function getAccountSecurity(client: Client, options?: ActionOptions): Promise<AccountSecurity> {
  return runAccountAction(client, options, (account, signal) => account.getAccountSecurity(client, signal))
}

export type UpdateAccountSecurityInput = { signInAlerts: boolean }

/**
 * Turns the mails about new devices on or off. Off needs a recent proof (`reauthenticate`).
 *
 * @example
 * await updateAccountSecurity(client, { signInAlerts: true })
 */
export function updateAccountSecurity(
  client: Client,
  input: UpdateAccountSecurityInput,
  options?: ActionOptions,
): Promise<AccountSecurity> {
  return runAccountAction(client, options, (account, signal) => account.updateAccountSecurity(client, input, signal))
}
