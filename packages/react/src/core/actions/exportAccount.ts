import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'

/** What the server keeps of a user, as it came. */
export type AccountExport = Readonly<Record<string, unknown>>

/**
 * Everything that the server keeps of the user, for saving as a file. It needs a recent proof (`stepUp`).
 *
 * @example
 * const data = await exportAccount(client)
 * const file = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })
 */
export function exportAccount(
  client: Client,
  callbacks: Callbacks<AccountExport> = {},
): Promise<AccountExport | undefined> {
  return runAction(client, callbacks, async () => {
    requireUser(client, 'exporting the account')
    const answer: AccountExport = await request(client, 'exportAccount', {}, callbacks)
    client.internal.readings.get('listActivity')?.invalidate()
    return answer
  })
}
