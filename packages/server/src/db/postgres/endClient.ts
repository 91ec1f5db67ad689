import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'

const GOODBYE_WITHIN = 5_000

/** Ends a connection once what is in flight was answered; one that no longer answers is cut. */
export const endClient = async (client: Client): Promise<void> => {
  const given = new AbortController()
  const late = pause(GOODBYE_WITHIN, true, { signal: given.signal }).catch(() => false)
  if (await Promise.race([client.end().then(() => false), late])) client.connection.stream.destroy()
  given.abort()
}
