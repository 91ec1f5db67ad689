import type { Client } from '../client/Client.ts'
import { invalidateReadings } from '../readings/readerOf.ts'

/** Reads chain data again: a block has a transaction of this page. */
export function chainChanged(client: Client): void {
  invalidateReadings(client, 'contract', 'chain', 'events', 'blockNumber')
}
