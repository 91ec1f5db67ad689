import type { Client } from '../Client.ts'
import type { Reading } from '../createReading.ts'
import { readerOf } from './readerOf.ts'

export type DocumentReading = { readonly asked: object; readonly reading: Reading<unknown> }

/** More than a page shows at once. */
const limit = 200

const caches = new WeakMap<Client, Map<string, DocumentReading>>()

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
    prune(made, 1)
  })
  return made
}

/** Lets go of the oldest readings that nobody looks at, until there are fewer than so many. */
export function prune(readings: Map<string, DocumentReading>, size = limit): void {
  for (const [key, { reading }] of readings) {
    if (readings.size < size) return
    if (!reading.isWatched()) readings.delete(key)
  }
}
