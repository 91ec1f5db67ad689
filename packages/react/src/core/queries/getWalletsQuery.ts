import { listWallets } from '../actions/listWallets.ts'
import type { Client } from '../Client.ts'
import { createQuery, type Query } from '../createQuery.ts'
import type { Wallet } from '../Wallet.ts'

const queries = new WeakMap<Client, Query<readonly Wallet[]>>()

/** The one reading of the user's wallets that all hooks of a client share. */
export function getWalletsQuery(client: Client): Query<readonly Wallet[]> {
  const known = queries.get(client)
  if (known) return known
  const made = createQuery(client, listWallets, ({ internal }) => internal.current?.record.objectId)
  queries.set(client, made)
  client.internal.readings.set('listWallets', made)
  return made
}
