import type { Client } from '../Client.ts'
import type { SyncStorage } from '../SyncStorage.ts'
import { openStorage } from '../storage.ts'

const key = 'Countersign/wallet'

export type RememberedWallet = { readonly id: string; readonly connected: boolean }

/** The wallet that was used last in this browser, and whether it is to be connected again on reload. */
export function findRememberedWallet(client: Client): RememberedWallet | undefined {
  try {
    const kept: Partial<RememberedWallet> | null = JSON.parse(openStore(client).getItem(key) ?? 'null')
    return typeof kept?.id === 'string' ? { id: kept.id, connected: kept.connected === true } : undefined
  } catch {
    return undefined
  }
}

export function rememberWallet(client: Client, id: string): void {
  openStore(client).setItem(key, JSON.stringify({ id, connected: true }))
}

/** It stays known as the one used last, and is not connected again by itself. */
export function forgetWallet(client: Client): void {
  const kept = findRememberedWallet(client)
  if (kept) openStore(client).setItem(key, JSON.stringify({ id: kept.id, connected: false }))
}

function openStore({ internal }: Client): SyncStorage {
  internal.storage ??= openStorage(internal.options.storage)
  return internal.storage
}
