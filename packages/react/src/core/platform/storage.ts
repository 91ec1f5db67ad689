import type { Client, SyncStorage } from '../client/Client.ts'
import type { MirrorStorage } from './mirrorStorage.ts'

/** The one storage that a client remembers by. */
export function storageOf({ internal }: Client): SyncStorage {
  internal.storage ??= openStorage(internal.options.storage as SyncStorage | undefined)
  return internal.storage
}

/** Await it before these are read, if the storage is asynchronous; undefined otherwise. */
export function loadStorage({ internal }: Client, keys: readonly [string, ...string[]]): Promise<unknown> | undefined {
  const { storage } = internal.options
  const first = storage && attempt(() => storage.getItem(keys[0]))
  if (!storage || !first || typeof first === 'string') return undefined
  first.catch(() => undefined)
  return import('./mirrorStorage.ts').then(({ mirrorStorage }) => {
    const known = internal.storage as Partial<MirrorStorage> | undefined
    const mirror = known?.load ? (known as MirrorStorage) : mirrorStorage(storage)
    internal.storage = mirror
    return mirror.load(keys)
  })
}

/**
 * Storage of a client's session: the given one, else the page's `localStorage`. Rejected values (a full disk, a
 * sandboxed frame, private browsing) are kept in memory, so that signing in still works.
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

/** Returns true if stored values outlive the page. */
export function canStore({ internal }: Client): boolean {
  const area = internal.options.storage ?? findLocalStorage()
  const probe = 'Countersign/probe'
  return (
    attempt(() => {
      area?.setItem(probe, '')
      area?.removeItem(probe)
      return area !== undefined
    }) === true
  )
}

/** The page's `localStorage`, if there is a page and it may be used. Reading the property alone can throw. */
export function findLocalStorage(): Storage | undefined {
  return attempt(() => globalThis.window?.localStorage)
}

function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
