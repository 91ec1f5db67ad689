import type { Client } from '../client/Client.ts'
import { deleteDocuments } from '../documents/deleteDocuments.ts'
import type { Query, QueryOptions } from '../documents/Query.ts'
import { saveDocuments } from '../documents/saveDocuments.ts'
import type { Outcome } from '../documents/sendBatch.ts'
import type { WatchedStore } from '../readings/watchReading.ts'
import type { Doc } from '../values/Document.ts'
import type { ClassName } from '../values/Register.ts'
import { watchDocuments } from './watchDocuments.ts'

/** Callbacks of a collection of TanStack DB for its source. */
type Sink<Item> = {
  readonly begin: () => void
  readonly write: (
    change:
      | { readonly type: 'insert' | 'update'; readonly value: Item }
      | { readonly type: 'delete'; readonly key: string },
  ) => void
  readonly commit: () => unknown
  readonly markReady: () => void
  readonly markError: (error?: unknown) => void
}

type Mutations = {
  readonly transaction: {
    readonly mutations: readonly { readonly key: unknown; readonly modified: unknown; readonly changes: unknown }[]
  }
}

/** Options of a collection of TanStack DB over documents. */
export type DocumentCollectionOptions<Item extends object> = {
  readonly id: string
  readonly getKey: (item: Item) => string
  readonly sync: { readonly sync: (sink: Sink<Item>) => () => void; readonly rowUpdateMode: 'full' }
  readonly onInsert: (input: Mutations) => Promise<void>
  readonly onUpdate: (input: Mutations) => Promise<void>
  readonly onDelete: (input: Mutations) => Promise<void>
}

type CollectionInput<Name extends ClassName, Item extends object> = {
  /** The documents in the collection: a class, or the result of a query without `keys` and `include`. */
  readonly query: Name | Query<Name, Item>
}

const mostRows = 1_000

/**
 * A collection of TanStack DB that follows documents live and saves what is changed in it. With `offline` in the client,
 * classes on the device are read and written there. Changes of one transaction are saved as one. A new row gets its id
 * when it is saved, in the place of the one that it was inserted with.
 *
 * @example
 * import { createCollection } from '@tanstack/react-db'
 * import { documentCollectionOptions } from '@countersign/react/tanstackDb'
 *
 * const scores = createCollection(documentCollectionOptions(client, { query: 'Score' }))
 */
export function documentCollectionOptions<
  Name extends ClassName,
  Item extends { readonly objectId: string } = Doc<Name>,
>(client: Client, { query }: CollectionInput<Name, Item>): DocumentCollectionOptions<Item> {
  const asked = (typeof query === 'string' ? { className: query } : query) as Query<Name, Item> & QueryOptions
  const { className } = asked
  const limit = asked.limit ?? mostRows
  let feed: ReturnType<typeof followRows<Item>> | undefined

  async function save(inputs: readonly object[]): Promise<readonly Item[]> {
    const transaction = inputs.length > 1
    const outcomes = await saveDocuments(client, inputs as never, { transaction })
    return outcomes.map(successOf) as unknown as readonly Item[]
  }

  return {
    id: JSON.stringify({ ...asked, className }),
    getKey: ({ objectId }) => objectId,
    sync: {
      rowUpdateMode: 'full',
      sync(sink) {
        const own = followRows(sink, watchDocuments(client, { ...asked, limit } as typeof asked, { live: true }))
        feed = own
        return own.stop
      },
    },
    async onInsert({ transaction }) {
      const made = await save(transaction.mutations.map(({ modified }) => ({ className, fields: modified })))
      feed?.add(made)
    },
    async onUpdate({ transaction }) {
      const changed = await save(
        transaction.mutations.map(({ key, changes }) => ({
          object: { __type: 'Pointer', className, objectId: String(key) },
          changes,
        })),
      )
      feed?.add(changed)
    },
    async onDelete({ transaction }) {
      const ids = transaction.mutations.map(({ key }) => String(key))
      const objects = ids.map((objectId) => ({ __type: 'Pointer' as const, className, objectId }))
      const outcomes = await deleteDocuments(client, objects as never, { transaction: ids.length > 1 })
      outcomes.map(successOf)
      feed?.remove(ids)
    },
  }
}

function successOf<Item>(outcome: Outcome<Item>): Item {
  if (outcome.status === 'error') throw outcome.error
  return outcome.data
}

/** A response that is on its way may be older than a save. */
function isOlder(row: { readonly updatedAt?: unknown }, known: { readonly updatedAt?: unknown } | undefined): boolean {
  return known !== undefined && Number(row.updatedAt) < Number(known.updatedAt)
}

/** Passes rows on as they come and go. */
function followRows<Item extends { readonly objectId: string; readonly updatedAt?: unknown }>(
  { begin, write, commit, markReady, markError }: Sink<Item>,
  source: WatchedStore<readonly Item[]>,
) {
  const known = new Map<string, Item>()
  let isReady = false

  function pass(rows: readonly Item[], gone: readonly string[]): void {
    const changed = rows.filter((row) => row !== known.get(row.objectId) && !isOlder(row, known.get(row.objectId)))
    if (changed.length === 0 && gone.length === 0) return
    begin()
    for (const key of gone) {
      known.delete(key)
      write({ type: 'delete', key })
    }
    for (const value of changed) {
      write({ type: known.has(value.objectId) ? 'update' : 'insert', value })
      known.set(value.objectId, value)
    }
    commit()
  }

  const look = () => {
    const { data, error } = source.get()
    if (data) {
      const ids = new Set(data.map(({ objectId }) => objectId))
      pass(
        data,
        [...known.keys()].filter((key) => !ids.has(key)),
      )
      isReady = true
      markReady()
    } else if (error && !isReady) markError(error)
  }
  const stop = source.subscribe(look)
  look()
  return {
    stop,
    /** Rows that were just saved: the collection must not show the former ones until the source has them. */
    add: (rows: readonly Item[]) =>
      pass(
        rows.map((row) => ({ ...known.get(row.objectId), ...row })),
        [],
      ),
    remove: (keys: readonly string[]) =>
      pass(
        [],
        keys.filter((key) => known.has(key)),
      ),
  }
}
