import { ValidationError } from '../errors/errors.ts'
import type { OfflineStore } from './OfflineStore.ts'

const table = 'items'

/**
 * The store of a browser; in memory where there is no IndexedDB, as in some private windows.
 *
 * @example
 * import { offline, openIndexedDb } from '@countersign/react/offline'
 *
 * const keep = offline({ classes: ['Note'], store: openIndexedDb('notes') })
 * const client = createClient({ appId: 'my-app', serverUrl: '/server', offline: keep })
 */
export function openIndexedDb(name = 'Countersign/offline'): OfflineStore {
  let chosen: Promise<OfflineStore> | undefined
  let isKept = true
  const choose = () => {
    const store = openDatabase(name)
    // Missing, or refused in a private window: the first use shows it.
    chosen ??= store.list('a', 'b').then(
      () => store,
      () => {
        isKept = false
        return createMemoryStore()
      },
    )
    return chosen
  }
  return {
    list: async (from, to) => (await choose()).list(from, to),
    write: async (changes) => (await choose()).write(changes),
    clear: async (from, to) => (await choose()).clear(from, to),
    isKept: () => isKept,
  }
}

function openDatabase(name: string): OfflineStore {
  let opening: Promise<IDBDatabase> | undefined
  const open = () => {
    opening ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name, 1)
      request.onupgradeneeded = () => request.result.createObjectStore(table)
      request.onsuccess = () => {
        const { result } = request
        // The browser closes it when storage is cleared; the next use opens another.
        result.onclose = forget
        result.onversionchange = () => {
          result.close()
          forget()
        }
        resolve(result)
      }
      request.onerror = () => reject(request.error)
    })
    opening.catch(forget)
    return opening
  }
  const forget = () => {
    opening = undefined
  }
  const run = async <Result>(
    mode: IDBTransactionMode,
    work: (items: IDBObjectStore) => () => Result,
  ): Promise<Result> => {
    const database = await open()
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(table, mode, { durability: 'strict' })
      const read = work(transaction.objectStore(table))
      transaction.oncomplete = () => resolve(read())
      transaction.onabort = () => reject(transaction.error)
    })
  }
  return {
    list: (from, to) =>
      run('readonly', (items) => {
        const range = IDBKeyRange.bound(from, to, false, true)
        const [keys, values] = [items.getAllKeys(range), items.getAll(range)]
        return () => keys.result.map((key, index) => [String(key), values.result[index]] as const)
      }),
    write: (changes) =>
      run('readwrite', (items) => {
        for (const [key, value] of changes) value === undefined ? items.delete(key) : items.put(value, key)
        return () => undefined
      }),
    clear: (from, to) =>
      run('readwrite', (items) => {
        items.delete(IDBKeyRange.bound(from, to, false, true))
        return () => undefined
      }),
  }
}

/**
 * A store that lives as long as the page.
 *
 * @example
 * import { createMemoryStore, offline } from '@countersign/react/offline'
 *
 * const keep = offline({ classes: ['Note'], store: createMemoryStore() })
 * const client = createClient({ appId: 'my-app', serverUrl: '/server', offline: keep })
 */
export function createMemoryStore(): OfflineStore {
  const items = new Map<string, unknown>()
  const between = (from: string, to: string) => [...items.keys()].filter((key) => key >= from && key < to).sort()
  return {
    list: async (from, to) => between(from, to).map((key) => [key, items.get(key)] as const),
    async write(changes) {
      for (const [key, value] of changes) value === undefined ? items.delete(key) : items.set(key, value)
    },
    async clear(from, to) {
      for (const key of between(from, to)) items.delete(key)
    },
    isKept: () => false,
  }
}

/** Storage of React Native, such as AsyncStorage. */
export type NativeStorage = {
  readonly getAllKeys: () => Promise<readonly string[]>
  readonly multiGet: (keys: readonly string[]) => Promise<readonly (readonly [string, string | null])[]>
  readonly multiSet: (items: [string, string][]) => Promise<unknown>
  readonly multiRemove: (keys: readonly string[]) => Promise<unknown>
}

const prefix = 'Countersign/offline/'
const journal = `${prefix}journal`

/**
 * The store over AsyncStorage of React Native. A journal makes several changes one: after a crash in between, the next
 * start finishes them. It refuses files: they cannot be queued.
 *
 * @example
 * import AsyncStorage from '@react-native-async-storage/async-storage'
 * import { offline, openNativeStore } from '@countersign/react/offline'
 *
 * const keep = offline({ classes: ['Note'], store: openNativeStore(AsyncStorage) })
 * const address = { appId: 'my-app', serverUrl: 'https://example.org/server' }
 * const client = createNativeClient({ ...address, storage: AsyncStorage, offline: keep })
 */
export function openNativeStore(storage: NativeStorage): OfflineStore {
  let last: Promise<unknown> = finish()
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work, work)
    last = done.catch(() => undefined)
    return done
  }
  async function finish(): Promise<void> {
    const [found] = await storage.multiGet([journal])
    if (found?.[1]) await apply(parse(found[1]))
  }
  async function apply(changes: readonly (readonly [string, unknown])[]): Promise<void> {
    const kept = changes.filter(([, value]) => value !== null)
    const gone = changes.filter(([, value]) => value === null).map(([key]) => prefix + key)
    if (kept.length > 0) await storage.multiSet(kept.map(([key, value]) => [prefix + key, stringify(value)]))
    await storage.multiRemove([...gone, journal])
  }
  const keysBetween = async (from: string, to: string) =>
    (await storage.getAllKeys()).filter((key) => key !== journal && key >= prefix + from && key < prefix + to).sort()
  return {
    list: (from, to) =>
      inTurn(async () => {
        const found = await storage.multiGet(await keysBetween(from, to))
        return found.flatMap(([key, text]) => (text === null ? [] : [[key.slice(prefix.length), parse(text)] as const]))
      }),
    write: (changes) =>
      inTurn(async () => {
        const whole = changes.map(([key, value]) => [key, value ?? null] as const)
        await storage.multiSet([[journal, stringify(whole)]])
        await apply(whole)
      }),
    clear: (from, to) => inTurn(async () => void (await storage.multiRemove(await keysBetween(from, to)))),
  }
}

/** Marks a `bigint`, which JSON does not have. A text that begins with the mark gets it twice. */
const mark = '\0'

function stringify(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return `${mark}${part}`
    if (typeof part === 'string' && part.startsWith(mark)) return mark + part
    if (typeof Blob === 'undefined' || !(part instanceof Blob)) return part
    throw new ValidationError('This store cannot keep files.', 'Upload the file while the server can be reached.')
  })
}

function parse(text: string) {
  if (!text.includes('\\u0000')) return JSON.parse(text)
  return JSON.parse(text, (_, part: unknown) => {
    if (typeof part !== 'string' || !part.startsWith(mark)) return part
    const rest = part.slice(mark.length)
    return rest.startsWith(mark) ? rest : BigInt(rest)
  })
}
