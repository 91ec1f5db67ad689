import type { AppEndpointName } from '@countersign/protocol'
import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { createReading, type Reading } from '../createReading.ts'

/** The one reading of an endpoint that all hooks of a client share; of the user's own data, unless `owner` says else. */
export function getAccountReading<Data>(
  client: Client,
  name: AppEndpointName,
  list: (client: Client, callbacks: Callbacks<Data>) => Promise<Data | undefined>,
  owner: (client: Client) => string | undefined = ({ internal }) => internal.current?.record.objectId,
): Reading<Data> {
  const { readings } = client.internal
  const known = readings.get(name) ?? createReading(client, list, owner)
  readings.set(name, known)
  return known as Reading<Data>
}
