import type { Client } from '../client/Client.ts'
import { loadOnce } from '../platform/loadOnce.ts'
import { createReading, type Reading } from '../readings/createReading.ts'
import { initializationError } from '../readings/defineReading.ts'
import { readerOf } from '../readings/readerOf.ts'
import type { DocumentPages } from './findDocumentPage.ts'
import type { Query } from './Query.ts'

export type PagesReading<Item> = Reading<DocumentPages<Item>> & {
  /** Reads the next page, if there is one. Calls while one is being read share it. */
  readonly loadMore: () => Promise<void>
}

const loadPages = /*#__PURE__*/ loadOnce(() => import('./readDocumentPages.ts'))

/** A reading that grows by pages. Read again, it reads as many documents as it had. */
export function createPages<Item>(client: Client, query: Query<string, Item>): PagesReading<Item> {
  let isMore = false
  let loading: Promise<void> | undefined
  const reading: Reading<DocumentPages<Item>> = createReading(client, {
    async read(client, options) {
      const before = reading.peek.get().data
      const from = isMore ? before : undefined
      isMore = false
      return (await loadPages()).readDocumentPages(client, query, before, from, options)
    },
    owner: readerOf,
    whyNot: initializationError,
  })
  return {
    ...reading,
    loadMore() {
      loading ??= loadPages()
        .then(({ loadMore }) =>
          loadMore(reading, () => {
            isMore = true
          }),
        )
        .finally(() => {
          loading = undefined
          // Without a reader the page was not requested; the next reading is of the whole list.
          isMore = false
        })
      return loading
    },
  }
}
