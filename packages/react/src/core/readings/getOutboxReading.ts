import { listOutbox } from '../actions/listOutbox.ts'
import type { Client } from '../Client.ts'
import { createReading, type Reading } from '../createReading.ts'
import type { Mail } from '../Mail.ts'

const readings = new WeakMap<Client, Reading<readonly Mail[]>>()

/** The one reading of the outbox that all hooks of a client share. It needs no user, only a connection. */
export function getOutboxReading(client: Client): Reading<readonly Mail[]> {
  const known = readings.get(client)
  if (known) return known
  const made = createReading(client, listOutbox, ({ internal }) => internal.connection?.appId)
  readings.set(client, made)
  client.internal.readings.set('listOutbox', made)
  return made
}
