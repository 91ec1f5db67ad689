import type { Client } from '../Client.ts'
import type { Question, Reading } from '../createReading.ts'
import type { Store } from '../Store.ts'
import { type DocumentReading, documentReadings, sweepSoon } from './documentReadings.ts'

/** The one reading that all hooks of a client share which ask the same; `write` tells what they ask. */
export function shareReading<Data>(client: Client, write: () => object, create: () => Reading<Data>): Reading<Data> {
  const readings = documentReadings(client)
  const asked = describe(write)
  const key = JSON.stringify(asked, sortKeys)
  const known = readings.get(key)
  if (known) {
    if (known.unseenSince !== undefined) known.unseenSince = Date.now()
    readings.delete(key)
    readings.set(key, known)
    return known.reading as Reading<Data>
  }
  const made = create()
  const at = Date.now()
  const watch = <Value>({ get, subscribe }: Store<Value>): Store<Value> => ({
    get,
    subscribe(listener) {
      // A component may be shown long after it was rendered, when its reading was let go of already.
      if (!readings.has(key)) readings.set(key, entry)
      entry.unseenSince = undefined
      entry.watchers++
      const stop = subscribe(listener)
      return () => {
        stop()
        entry.watchers--
        sweepSoon(readings)
      }
    },
  })
  const reading = { ...made, state: watch(made.state), peek: watch(made.peek), question: { key, at } }
  const entry: DocumentReading = { asked, reading: reading as Reading<unknown>, watchers: 0, unseenSince: at }
  readings.set(key, entry)
  sweepSoon(readings)
  return reading
}

/** What a render may make new each time without meaning anything by it. */
const passing = /"#provider":\d+|"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g

/** Milliseconds by which a date may be apart from the clock that it was taken from. */
const tolerance = 100

/** Whether a later question differs from one only in its provider, and in dates that moved on with the clock. */
export function isSameQuestion(one: Question | undefined, later: Question | undefined): boolean {
  if (!one || !later || one.key.replace(passing, '') !== later.key.replace(passing, '')) return false
  const [before = [], after = []] = [one, later].map(({ key }) =>
    Array.from(key.matchAll(passing), ([, date = '']) => Date.parse(date)),
  )
  return after.every((time, index) => {
    const moved = time - (before[index] ?? 0)
    return !moved || Math.abs(moved - (later.at - one.at)) < tolerance
  })
}

/** Whether a question that is asked again was kept for it: within one moment a clock says the same twice. */
export function isLasting({ key, at }: Question = { key: '', at: 0 }): boolean {
  return Date.now() - at > 1 || !/"\d{4}-.*Z"/.test(key)
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
