import { listSessions } from '../actions/listSessions.ts'
import type { Client } from '../Client.ts'
import { createReading, type Reading } from '../createReading.ts'
import type { Session } from '../Session.ts'

const readings = new WeakMap<Client, Reading<readonly Session[]>>()

/** The one reading of the user's sessions that all hooks of a client share. */
export function getSessionsReading(client: Client): Reading<readonly Session[]> {
  const known = readings.get(client)
  if (known) return known
  const made = createReading(client, listSessions, ({ internal }) => internal.current?.record.objectId)
  readings.set(client, made)
  client.internal.readings.set('listSessions', made)
  return made
}
