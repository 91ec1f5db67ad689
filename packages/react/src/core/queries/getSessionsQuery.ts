import { listSessions } from '../actions/listSessions.ts'
import type { Client } from '../Client.ts'
import { createQuery, type Query } from '../createQuery.ts'
import type { Session } from '../Session.ts'

const queries = new WeakMap<Client, Query<readonly Session[]>>()

/** The one reading of the user's sessions that all hooks of a client share. */
export function getSessionsQuery(client: Client): Query<readonly Session[]> {
  const known = queries.get(client)
  if (known) return known
  const made = createQuery(client, listSessions, ({ internal }) => internal.current?.record.objectId)
  queries.set(client, made)
  client.internal.readings.set('listSessions', made)
  return made
}
