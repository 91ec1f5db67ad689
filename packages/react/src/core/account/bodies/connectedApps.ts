import type { Client } from '../../client/Client.ts'
import { requireUser } from '../../client/guards.ts'
import type { ActionOptions } from '../../client/runAction.ts'
import { invalidateReadings } from '../../readings/readerOf.ts'
import { request } from '../../session/request.ts'
import { toDated } from '../../values/decode.ts'
import type { ConnectedApp } from '../../values/records.ts'
import type { DisconnectAppInput } from '../inputs.ts'

export async function listConnectedApps(
  client: Client,
  { signal }: ActionOptions = {},
): Promise<readonly ConnectedApp[]> {
  requireUser(client, 'listing connected apps')
  const { results } = await request(client, 'listConnectedApps', {}, { signal })
  return Object.freeze(results.map(toDated))
}

export async function disconnectApp(
  client: Client,
  { id }: DisconnectAppInput,
  { signal }: ActionOptions = {},
): Promise<void> {
  requireUser(client, 'ending the access of an app')
  try {
    await request(client, 'disconnectApp', { id }, { signal })
  } finally {
    // The call fails if the entry is gone already; the list must show that.
    invalidateReadings(client, 'listConnectedApps', 'listAccessTokens', 'listActivity')
  }
}
