import type { Activity } from '../Activity.ts'
import { listActivity } from '../actions/listActivity.ts'
import type { Client } from '../Client.ts'
import { createReading, type Reading } from '../createReading.ts'

const readings = new WeakMap<Client, Reading<readonly Activity[]>>()

/** The one reading of the user's latest activity that all hooks of a client share. */
export function getActivityReading(client: Client): Reading<readonly Activity[]> {
  const known = readings.get(client)
  if (known) return known
  const made = createReading<readonly Activity[]>(
    client,
    (client, callbacks) => listActivity(client, {}, callbacks),
    ({ internal }) => internal.current?.record.objectId,
  )
  readings.set(client, made)
  client.internal.readings.set('listActivity', made)
  return made
}
