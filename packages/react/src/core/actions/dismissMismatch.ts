import type { Client } from '../Client.ts'

/**
 * Leaves the session and the wallet as they are, on two accounts, until the wallet changes again.
 *
 * @example
 * if (client.mismatch.get()) dismissMismatch(client)
 */
export function dismissMismatch(client: Client): void {
  client.internal.keptAccount = client.mismatch.get()?.account
  client.internal.showMismatch?.()
}
