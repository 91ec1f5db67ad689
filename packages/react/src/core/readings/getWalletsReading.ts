import { listWallets } from '../actions/listWallets.ts'
import type { Client } from '../Client.ts'
import { createReading, type Reading } from '../createReading.ts'
import type { Wallet } from '../Wallet.ts'

const readings = new WeakMap<Client, Reading<readonly Wallet[]>>()

/** The one reading of the user's wallets that all hooks of a client share. */
export function getWalletsReading(client: Client): Reading<readonly Wallet[]> {
  const known = readings.get(client)
  if (known) return known
  const made = createReading(client, listWallets, ({ internal }) => internal.current?.record.objectId)
  readings.set(client, made)
  client.internal.readings.set('listWallets', made)
  return made
}
