import { listWaysIn } from '../actions/listWaysIn.ts'
import type { Client } from '../Client.ts'
import { createReading, type Reading } from '../createReading.ts'
import type { WaysIn } from '../WaysIn.ts'

const readings = new WeakMap<Client, Reading<WaysIn>>()

/** The one reading of the user's ways in that all hooks of a client share. */
export function getWaysInReading(client: Client): Reading<WaysIn> {
  const known = readings.get(client)
  if (known) return known
  const made = createReading(client, listWaysIn, ({ internal }) => internal.current?.record.objectId)
  readings.set(client, made)
  client.internal.readings.set('listWaysIn', made)
  return made
}
