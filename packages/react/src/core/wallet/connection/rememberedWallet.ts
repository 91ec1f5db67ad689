import type { Client } from '../../client/Client.ts'
import { storageOf } from '../../platform/storage.ts'
import type { WalletState } from '../../state/WalletState.ts'

export const walletKey = 'Countersign/wallet'

export type RememberedWallet = { readonly id: string; readonly connected: boolean }

/** The wallet that was used last in this browser, and whether it is to be connected again on reload. */
export function findRememberedWallet(client: Client): RememberedWallet | undefined {
  try {
    const kept: Partial<RememberedWallet> | null = JSON.parse(storageOf(client).getItem(walletKey) ?? 'null')
    return typeof kept?.id === 'string' ? { id: kept.id, connected: kept.connected === true } : undefined
  } catch {
    return undefined
  }
}

export function rememberWallet(client: Client, id: string): void {
  storageOf(client).setItem(walletKey, JSON.stringify({ id, connected: true }))
}

/** Keeps the wallet as the one used last, without connecting it automatically. */
export function forgetWallet(client: Client): void {
  const kept = findRememberedWallet(client)
  if (kept) storageOf(client).setItem(walletKey, JSON.stringify({ id: kept.id, connected: false }))
}

/** Returns true if a wallet is connected, connecting, or about to be restored. */
export function expectsWallet(client: Client): boolean {
  const { open, attempt } = client.internal.walletParts
  return Boolean(open || attempt || findRememberedWallet(client)?.connected)
}

/** One and the same object, so that to be disconnected still is no change. */
export const disconnected: WalletState = { status: 'disconnected' }
