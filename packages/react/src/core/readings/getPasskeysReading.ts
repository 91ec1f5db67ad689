import { listPasskeys } from '../actions/listPasskeys.ts'
import type { Client } from '../Client.ts'
import { createReading, type Reading } from '../createReading.ts'
import type { Passkey } from '../Passkey.ts'

const readings = new WeakMap<Client, Reading<readonly Passkey[]>>()

/** The one reading of the user's passkeys that all hooks of a client share. */
export function getPasskeysReading(client: Client): Reading<readonly Passkey[]> {
  const known = readings.get(client)
  if (known) return known
  const made = createReading(client, listPasskeys, ({ internal }) => internal.current?.record.objectId)
  readings.set(client, made)
  client.internal.readings.set('listPasskeys', made)
  return made
}
