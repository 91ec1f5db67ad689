import { type AccountSecurity, readAccountSecurity } from '../AccountSecurity.ts'
import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'

/**
 * How many recovery codes the user has left, and whether new devices are told by mail.
 *
 * @example
 * const security = await getAccountSecurity(client)
 * const isLow = security !== undefined && security.recoveryCodes.left < 3
 */
export function getAccountSecurity(
  client: Client,
  callbacks: Callbacks<AccountSecurity> = {},
): Promise<AccountSecurity | undefined> {
  return runAction(client, callbacks, async () => {
    requireUser(client, 'reading the safeguards of the account')
    return readAccountSecurity(await request(client, 'getAccountSecurity', {}, callbacks))
  })
}
