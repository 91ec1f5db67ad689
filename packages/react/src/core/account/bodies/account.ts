import type { Client } from '../../client/Client.ts'
import { missingUser, requireConnection, requireUser } from '../../client/guards.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import { invalidateReadings } from '../../readings/readerOf.ts'
import { closeSession } from '../../session/currentSession.ts'
import { refreshRecord } from '../../session/refreshRecord.ts'
import { request } from '../../session/request.ts'
import type { User } from '../../values/User.ts'
import type { AccountExport } from '../inputs.ts'

export async function refetchUser(client: Client, { signal }: ActionOptions = {}): Promise<User> {
  requireUser(client, 'refetching')
  const user = await refreshRecord(client, signal)
  if (!user) throw missingUser('refetch')
  return user
}

export function deleteUser(client: Client, { signal }: ActionOptions = {}): Promise<void> {
  const { objectId } = requireUser(client, 'deleting the account').record
  return client.internal.queue.run(async () => {
    await request(client, 'deleteUser', { objectId }, { signal })
    const { current } = client.internal
    if (current?.record.objectId === objectId) closeSession(client, requireConnection(client), current)
  })
}

export async function exportAccount(client: Client, { signal }: ActionOptions = {}): Promise<AccountExport> {
  requireUser(client, 'exporting the account')
  const answer: AccountExport = await request(client, 'exportAccount', {}, { signal })
  invalidateReadings(client, 'listActivity')
  return answer
}
