import { listPasskeys } from '../actions/listPasskeys.ts'
import type { Client } from '../Client.ts'
import { createQuery, type Query } from '../createQuery.ts'
import type { Passkey } from '../Passkey.ts'

const queries = new WeakMap<Client, Query<readonly Passkey[]>>()

/** The one reading of the user's passkeys that all hooks of a client share. */
export function getPasskeysQuery(client: Client): Query<readonly Passkey[]> {
  const known = queries.get(client)
  if (known) return known
  const made = createQuery(client, listPasskeys, ({ internal }) => internal.current?.record.objectId)
  queries.set(client, made)
  client.internal.readings.set('listPasskeys', made)
  return made
}
