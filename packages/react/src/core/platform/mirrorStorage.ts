import type { StorageAdapter, SyncStorage } from '../client/Client.ts'

export type MirrorStorage = SyncStorage & { readonly load: (keys: readonly string[]) => Promise<unknown> }

/** An asynchronous storage, read ahead into memory and then only written to, in order. Rejected writes are lost. */
export function mirrorStorage(area: StorageAdapter): MirrorStorage {
  const memory = new Map<string, string | null>()
  let writing: Promise<unknown> = Promise.resolve()
  const write = (act: () => unknown) => {
    writing = writing.then(act).catch(() => undefined)
  }
  return {
    load: (keys) =>
      Promise.all(
        keys.map(async (key) => {
          if (memory.has(key)) return
          const found = await Promise.resolve(area.getItem(key)).catch(() => null)
          // Something may have been written in between.
          if (!memory.has(key)) memory.set(key, found)
        }),
      ),
    getItem: (key) => memory.get(key) ?? null,
    setItem(key, value) {
      memory.set(key, value)
      write(() => area.setItem(key, value))
    },
    removeItem(key) {
      memory.set(key, null)
      write(() => area.removeItem(key))
    },
  }
}
