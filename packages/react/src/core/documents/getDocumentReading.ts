import type { CountersignError } from '@countersign/protocol'
import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { createReading, type Reading } from '../createReading.ts'
import { readerOf } from './readerOf.ts'
import { shareReading } from './shareReading.ts'

/** The one reading that all hooks of a client share which ask the same; `write` tells what they ask. */
export function getDocumentReading<Data>(
  client: Client,
  write: () => object,
  read: (client: Client, callbacks: Callbacks<Data>) => Promise<Data | undefined>,
): Reading<Data> {
  return shareReading(client, write, () => createReading<Data>(client, read, readerOf, whyNot))
}

function whyNot(client: Client): CountersignError | undefined {
  const initialization = client.initialization.get()
  return initialization.status === 'error' ? initialization.error : undefined
}
