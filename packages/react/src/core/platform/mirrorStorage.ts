import type { StorageAdapter, SyncStorage } from '../client/Client.ts'

export type MirrorStorage = SyncStorage & { readonly load: (keys: readonly string[]) => Promise<unknown> }

/** A storage that answers later, read ahead into memory and then only written to, in order. What it refuses is lost there. */
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
          // Something may have been written meanwhile.
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
