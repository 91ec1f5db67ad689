import type { Client } from '../Client.ts'
import type { Reading } from '../createReading.ts'
import { readerOf } from './readerOf.ts'

export type DocumentReading = {
  readonly asked: object
  readonly reading: Reading<unknown>
  /** How many components are subscribed, those that only look on included. */
  watchers: number
  /** When a render asked for it last, until a component subscribes for the first time. */
  unseenSince: number | undefined
}

/** So many that nobody looks at any more are kept, for whoever comes back to them. */
const limit = 200
/** Milliseconds that a rendered component has until it subscribes. After that its reading is only found again then. */
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
    const now = Date.now()
    const idle = [...readings].filter(([, { watchers }]) => watchers === 0)
    const left = idle.filter(([, { unseenSince }]) => unseenSince === undefined)
    const unseen = idle.filter(([, { unseenSince = now }]) => now - unseenSince >= grace)
    for (const [key] of [...left.slice(0, -limit), ...unseen]) readings.delete(key)
    if (left.length + unseen.length < idle.length) sweepSoon(readings)
  }, grace)
  // In Node, where pages are rendered, nothing waits for it.
  ;(timer as { unref?: () => void }).unref?.()
}
