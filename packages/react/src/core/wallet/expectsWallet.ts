import type { Client } from '../Client.ts'
import { findRememberedWallet } from './rememberedWallet.ts'

/** Whether a wallet is connected, being connected, or to be connected again: one to wait for. */
export function expectsWallet(client: Client): boolean {
  const { open, attempt } = client.internal.walletParts
  return Boolean(open || attempt || findRememberedWallet(client)?.connected)
}
