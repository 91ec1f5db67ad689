import type { Client } from '../client/Client.ts'
import type { ActionOptions } from '../client/runAction.ts'
import { toCountersignError } from '../errors/errors.ts'
import type { Reading } from '../readings/createReading.ts'
import { type DocumentPage, type DocumentPages, findDocumentPage } from './findDocumentPage.ts'
import type { Query } from './Query.ts'

/** Reads the page after `from`; without it as many documents as there were before. */
export async function readDocumentPages<Item>(
  client: Client,
  query: Query<string, Item>,
  before: DocumentPages<Item> | undefined,
  from: DocumentPages<Item> | undefined,
  { signal }: ActionOptions,
): Promise<DocumentPages<Item>> {
  const wanted = before?.items.length ?? 0
  const known = new Set(from?.items.map(idOf))
  let items = from?.items ?? []
  let cursor = from?.cursor
  do {
    try {
      const page: DocumentPage<Item> = await findDocumentPage(client, query, { cursor, signal })
      // A document whose place in the order changed may be on two pages.
      items = [...items, ...page.items.filter((item) => !known.has(idOf(item)))]
      for (const item of page.items) known.add(idOf(item))
      cursor = page.cursor
    } catch (error) {
      if (!from || signal?.aborted) throw error
      return { ...from, moreError: toCountersignError(error) }
    }
  } while (!from && cursor !== undefined && items.length < wanted)
  return { items: Object.freeze(items), ...(cursor !== undefined && { cursor }) }
}

/** Reads the next page. `mark` is called to say that the next read is that page. */
export async function loadMore<Item>(
  { peek, refetch }: Pick<Reading<DocumentPages<Item>>, 'peek' | 'refetch'>,
  mark: () => void,
): Promise<void> {
  // A change during the reading makes the list be read again, and the page is lost.
  do {
    if (peek.get().isFetching) await refetch()
    if (peek.get().data?.cursor === undefined) return
    mark()
    await refetch()
  } while (peek.get().isFetching)
}

function idOf(item: unknown): unknown {
  return Object(item).objectId
}
