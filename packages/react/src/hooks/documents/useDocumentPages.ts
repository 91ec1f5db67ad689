'use client'

import type { CountersignError } from '@countersign/protocol'
import type { FieldName, IncludePath, KeyPath, Query, QueryOptions } from '../../core/documents/Query.ts'
import { pagesReading } from '../../core/live/documentReadings.ts'
import type { Found } from '../../core/values/Document.ts'
import type { ClassName } from '../../core/values/Register.ts'
import { useClient } from '../client/useClient.ts'
import { type PlainReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

export type UseDocumentPages<Item> = UseAsync<readonly Item[]> & {
  /** True if there is another page. */
  readonly hasMore: boolean
  /** Reads the next page to the end of `data`, if there is one. Calls while one is being read share it. */
  readonly loadMore: () => Promise<void>
  /** Why the next page could not be read; `data` is kept, and `loadMore` tries again. */
  readonly moreError?: CountersignError | undefined
}

/**
 * Results of a query, page by page with `limit` documents each: an infinite list. Components with the same query share
 * the pages. A refresh, such as after a save, reads as many documents as before.
 *
 * @example
 * const { data = [], hasMore, loadMore, isFetching } = useDocumentPages('Game', { order: ['-score'], limit: 20 })
 * <button hidden={!hasMore} disabled={isFetching} onClick={loadMore}>More</button>
 */
export function useDocumentPages<
  Name extends ClassName,
  const Include extends IncludePath<Name> = never,
  const Keys extends KeyPath<Name> = never,
  const Left extends FieldName<Name> = never,
>(
  className: Name,
  options?: Omit<QueryOptions<Name, Include, Keys, Left>, 'skip'> & PlainReadOptions,
): UseDocumentPages<Found<Name, Include, Keys, Left>>

export function useDocumentPages<Name extends ClassName, Item>(
  query: Query<Name, Item>,
  options?: PlainReadOptions,
): UseDocumentPages<Item>

export function useDocumentPages(
  given: string | Query<string, unknown>,
  options: QueryOptions & PlainReadOptions = {},
): UseDocumentPages<unknown> {
  const query = typeof given === 'string' ? { ...options, className: given } : given
  const reading = pagesReading(useClient(), query)
  const { data: pages, ...rest } = useReading(reading, options)
  return {
    ...rest,
    data: pages?.items,
    // A placeholder has no next page.
    hasMore: pages?.cursor !== undefined && !rest.isPlaceholderData,
    moreError: pages?.moreError,
    loadMore: reading.loadMore,
  } as UseDocumentPages<unknown>
}
