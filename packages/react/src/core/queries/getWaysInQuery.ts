import { listWaysIn } from '../actions/listWaysIn.ts'
import type { Client } from '../Client.ts'
import { createQuery, type Query } from '../createQuery.ts'
import type { WaysIn } from '../WaysIn.ts'

const queries = new WeakMap<Client, Query<WaysIn>>()

/** The one reading of the user's ways in that all hooks of a client share. */
export function getWaysInQuery(client: Client): Query<WaysIn> {
  const known = queries.get(client)
  if (known) return known
  const made = createQuery(client, listWaysIn, ({ internal }) => internal.current?.record.objectId)
  queries.set(client, made)
  client.internal.readings.set('listWaysIn', made)
  return made
}
