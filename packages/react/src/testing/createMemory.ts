import type { SyncStorage } from '../core/client/Client.ts'

/** A storage that two clients can share, as a page and its reload do. */
export function createMemory(): SyncStorage & { readonly items: Map<string, string> } {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}
