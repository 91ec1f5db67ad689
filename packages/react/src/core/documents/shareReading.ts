import type { Client } from '../Client.ts'
import type { Reading } from '../createReading.ts'
import { documentReadings, prune } from './documentReadings.ts'

/** The one reading that all hooks of a client share which ask the same; `write` tells what they ask. */
export function shareReading<Data>(client: Client, write: () => object, create: () => Reading<Data>): Reading<Data> {
  const readings = documentReadings(client)
  const asked = describe(write)
  const key = JSON.stringify(asked, sortKeys)
  const known = readings.get(key)
  if (known) {
    readings.delete(key)
    readings.set(key, known)
    return known.reading as Reading<Data>
  }
  const reading = create()
  prune(readings)
  readings.set(key, { asked, reading: reading as Reading<unknown> })
  return reading
}

/** A question that cannot be asked has a reading as well: one that fails for the same reason. */
function describe(write: () => object): object {
  try {
    return write()
  } catch (error) {
    return { refused: String(error) }
  }
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
