import type { Activity } from '../Activity.ts'
import { listActivity } from '../actions/listActivity.ts'
import type { Client } from '../Client.ts'
import { createQuery, type Query } from '../createQuery.ts'

const queries = new WeakMap<Client, Query<readonly Activity[]>>()

/** The one reading of the user's latest activity that all hooks of a client share. */
export function getActivityQuery(client: Client): Query<readonly Activity[]> {
  const known = queries.get(client)
  if (known) return known
  const made = createQuery<readonly Activity[]>(
    client,
    (client, callbacks) => listActivity(client, {}, callbacks),
    ({ internal }) => internal.current?.record.objectId,
  )
  queries.set(client, made)
  client.internal.readings.set('listActivity', made)
  return made
}
