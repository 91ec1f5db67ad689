import type { Client } from '../Client.ts'
import { showMismatch } from './showMismatch.ts'

/** Compares the wallet's account with the user's whenever one of them changes. */
export function watchMismatch(client: Client): void {
  const { internal } = client
  const show = () => showMismatch(client)
  internal.showMismatch = show
  for (const store of [internal.session, internal.wallet]) store.subscribe(show)
}
