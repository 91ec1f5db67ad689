import type { Client } from '../Client.ts'
import type { Reading } from '../createReading.ts'
import { readerOf } from './readerOf.ts'

export type DocumentReading = {
  readonly asked: object
  readonly reading: Reading<unknown>
  /** How many components are subscribed, those that only look on included. */
  watchers: number
  /** A component was subscribed once. */
  isSeen?: boolean
  /** No component came for it since the last sweep. */
  isOld?: boolean
}

/** So many that nobody looks at any more are kept, for whoever comes back to them. */
const limit = 200
/** Milliseconds that a rendered component has at least until it subscribes; later, its reading is put back then. */
const grace = 10_000

const caches = new WeakMap<Client, Map<string, DocumentReading>>()
const sweeping = new WeakSet<object>()

/** Every reading of documents that a client's hooks share, by what is asked; those used last stand last. */
export function documentReadings(client: Client): Map<string, DocumentReading> {
  const known = caches.get(client)
  if (known) return known
  const made = new Map<string, DocumentReading>()
  caches.set(client, made)
  let reader = readerOf(client)
  client.session.subscribe(() => {
    const present = readerOf(client)
    if (present === reader) return
    reader = present
    // What nobody looks at is not kept for the next user of this page.
    for (const [key, { watchers }] of made) if (watchers === 0) made.delete(key)
  })
  return made
}

/**
 * Later, lets go of readings that no component came to look at (a render may be thrown away), and of the oldest that
 * were left. Never while components render: what they ask for has to be there when they subscribe.
 */
export function sweepSoon(readings: Map<string, DocumentReading>): void {
  if (sweeping.has(readings)) return
  sweeping.add(readings)
  const timer: unknown = setTimeout(() => {
    sweeping.delete(readings)
    const idle = [...readings].filter(([, { watchers }]) => watchers === 0)
    let surplus = idle.filter(([, { isSeen }]) => isSeen).length - limit
    let isLeft = false
    for (const [key, entry] of idle) {
      if (entry.isSeen ? surplus-- > 0 : entry.isOld) readings.delete(key)
      else if (!entry.isSeen) entry.isOld = isLeft = true
    }
    if (isLeft) sweepSoon(readings)
  }, grace)
  // In Node, where pages are rendered, nothing waits for it.
  ;(timer as { unref?: () => void }).unref?.()
}
