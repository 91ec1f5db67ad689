import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'

/**
 * Ten new recovery codes, which are told this once; the former ones end. It needs a recent proof (`stepUp`).
 *
 * @example
 * const codes = await createRecoveryCodes(client)
 */
export function createRecoveryCodes(
  client: Client,
  callbacks: Callbacks<readonly string[]> = {},
): Promise<readonly string[] | undefined> {
  return runAction(client, callbacks, async () => {
    requireUser(client, 'making recovery codes')
    const { codes } = await request(client, 'createRecoveryCodes', {}, callbacks)
    for (const name of ['getAccountSecurity', 'listActivity'] as const) client.internal.readings.get(name)?.invalidate()
    return Object.freeze(codes)
  })
}
