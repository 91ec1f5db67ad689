import { listOutbox } from '../actions/listOutbox.ts'
import type { Client } from '../Client.ts'
import { createQuery, type Query } from '../createQuery.ts'
import type { Mail } from '../Mail.ts'

const queries = new WeakMap<Client, Query<readonly Mail[]>>()

/** The one reading of the outbox that all hooks of a client share. It needs no user, only a connection. */
export function getOutboxQuery(client: Client): Query<readonly Mail[]> {
  const known = queries.get(client)
  if (known) return known
  const made = createQuery(client, listOutbox, ({ internal }) => internal.connection?.appId)
  queries.set(client, made)
  client.internal.readings.set('listOutbox', made)
  return made
}
