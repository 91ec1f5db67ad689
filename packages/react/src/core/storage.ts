import type { SyncStorage } from './SyncStorage.ts'

/**
 * The storage that a client keeps its session in: the given one, else the page's `localStorage`. What it refuses to
 * take (a full disk, a sandboxed frame, private browsing) is kept in memory, so that signing in still works there.
 */
export function openStorage(given?: SyncStorage): SyncStorage {
  const area = given ?? findLocalStorage()
  const memory = new Map<string, string>()
  return {
    getItem: (key) => memory.get(key) ?? attempt(() => area?.getItem(key)) ?? null,
    setItem(key, value) {
      memory.set(key, value)
      attempt(() => {
        area?.setItem(key, value)
        if (area) memory.delete(key)
      })
      if (memory.has(key)) attempt(() => area?.removeItem(key))
    },
    removeItem(key) {
      memory.delete(key)
      attempt(() => area?.removeItem(key))
    },
  }
}

/** The page's `localStorage`, if there is a page and it may be used. Reading the property alone can throw. */
export function findLocalStorage(): Storage | undefined {
  return attempt(() => (typeof window === 'undefined' ? undefined : window.localStorage))
}

function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
