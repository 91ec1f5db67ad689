import { type AccountSecurity, readAccountSecurity } from '../AccountSecurity.ts'
import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'

export type UpdateAccountSecurityInput = { signInAlerts: boolean }

/**
 * Turns the mails about new devices on or off. Off needs a recent proof (`stepUp`).
 *
 * @example
 * await updateAccountSecurity(client, { signInAlerts: true })
 */
export function updateAccountSecurity(
  client: Client,
  input: UpdateAccountSecurityInput,
  callbacks: Callbacks<AccountSecurity> = {},
): Promise<AccountSecurity | undefined> {
  return runAction(client, callbacks, async () => {
    requireUser(client, 'changing the safeguards of the account')
    const { signInAlerts } = input
    const answer = await request(client, 'updateAccountSecurity', { signInAlerts }, callbacks)
    for (const name of ['getAccountSecurity', 'listActivity'] as const) client.internal.readings.get(name)?.invalidate()
    return readAccountSecurity(answer)
  })
}
