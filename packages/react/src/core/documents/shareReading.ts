import type { Client } from '../Client.ts'
import type { Reading } from '../createReading.ts'
import type { Store } from '../Store.ts'
import { type DocumentReading, documentReadings, sweepSoon } from './documentReadings.ts'

/** The one reading that all hooks of a client share which ask the same; `write` tells what they ask. */
export function shareReading<Data>(client: Client, write: () => object, create: () => Reading<Data>): Reading<Data> {
  const readings = documentReadings(client)
  const asked = describe(write)
  const key = JSON.stringify(asked, sortKeys)
  const known = readings.get(key)
  if (known) {
    known.isOld = false
    readings.delete(key)
    readings.set(key, known)
    return known.reading as Reading<Data>
  }
  const made = create()
  const watch = <Value>({ get, subscribe }: Store<Value>): Store<Value> => ({
    get,
    subscribe(listener) {
      // A component may be shown long after it was rendered, when its reading was let go of already.
      if (!readings.has(key)) readings.set(key, entry)
      entry.isSeen = true
      entry.watchers++
      const stop = subscribe(listener)
      return () => {
        stop()
        entry.watchers--
        sweepSoon(readings)
      }
    },
  })
  const reading = {
    ...made,
    state: watch(made.state),
    peek: watch(made.peek),
    question: { key, client, at: Date.now() },
  }
  const entry: DocumentReading = { asked, reading: reading as Reading<unknown>, watchers: 0 }
  readings.set(key, entry)
  sweepSoon(readings)
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
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
