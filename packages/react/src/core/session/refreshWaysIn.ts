import type { Client } from '../Client.ts'
import { refreshRecord } from './refreshRecord.ts'

/** The ways in have changed: the user's addresses and whatever is on show are read again. */
export async function refreshWaysIn(client: Client, signal: AbortSignal | undefined): Promise<void> {
  for (const reading of client.internal.readings.values()) reading.invalidate()
  await refreshRecord(client, signal).catch(() => undefined)
}
