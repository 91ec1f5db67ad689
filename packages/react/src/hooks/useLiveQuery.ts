import type { Found } from '../core/documents/Document.ts'
import type { FieldName, IncludePath, KeyPath, Query, QueryOptions } from '../core/documents/QueryOptions.ts'
import type { ClassName } from '../core/documents/Register.ts'
import { shareReading } from '../core/documents/shareReading.ts'
import { writeQuery } from '../core/documents/writeQuery.ts'
import { createLiveReading } from '../core/live/createLiveReading.ts'
import { useClient } from './useClient.ts'
import { type ReadOptions, type UseDocumentReading, useDocumentReading } from './useDocumentReading.ts'

export type UseLiveQuery<Item> = UseDocumentReading<readonly Item[]>

/**
 * The objects that a query finds, as `useQuery` gives them, kept current: what anyone creates, changes or deletes is
 * put in its place. Components that ask the same share one subscription.
 *
 * @example
 * const games = useLiveQuery('Game', { where: { isOver: false }, order: ['-score'], limit: 20 })
 * if (games.status === 'success') return games.data.map((game) => <p key={game.objectId}>{game.title}</p>)
 */
export function useLiveQuery<
  Name extends ClassName,
  const Include extends IncludePath<Name> = never,
  const Keys extends KeyPath<Name> = never,
  const Left extends FieldName<Name> = never,
>(
  className: Name,
  options?: QueryOptions<Name, Include, Keys, Left> & ReadOptions,
): UseLiveQuery<Found<Name, Include, Keys, Left>>
export function useLiveQuery<Name extends ClassName, Item>(
  query: Query<Name, Item>,
  options?: ReadOptions,
): UseLiveQuery<Item>
export function useLiveQuery(
  given: string | Query<string, unknown>,
  options: QueryOptions & ReadOptions = {},
): UseLiveQuery<unknown> {
  const client = useClient()
  const query = typeof given === 'string' ? { ...options, className: given } : given
  const reading = shareReading(
    client,
    () => ({ live: writeQuery(query) }),
    () => createLiveReading(client, query),
  )
  return useDocumentReading(client, reading, options)
}
