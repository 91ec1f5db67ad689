import type { Found } from '../core/documents/Document.ts'
import { find } from '../core/documents/find.ts'
import { getDocumentReading } from '../core/documents/getDocumentReading.ts'
import type { FieldName, IncludePath, KeyPath, Query, QueryOptions } from '../core/documents/QueryOptions.ts'
import type { ClassName } from '../core/documents/Register.ts'
import { writeQuery } from '../core/documents/writeQuery.ts'
import { useClient } from './useClient.ts'
import { type ReadOptions, type UseDocumentReading, useDocumentReading } from './useDocumentReading.ts'

export type UseQuery<Item> = UseDocumentReading<readonly Item[]>

/**
 * The objects that a query finds. Components that ask the same share one reading; it is read again after a save or a
 * delete that may have changed it, and when another user signs in.
 *
 * @example
 * const games = useQuery('Game', { where: { score: { $gt: 5 } }, order: ['-score'], limit: 20 })
 * if (games.status === 'success') return games.data.map((game) => <p key={game.objectId}>{game.title}</p>)
 */
export function useQuery<
  Name extends ClassName,
  const Include extends IncludePath<Name> = never,
  const Keys extends KeyPath<Name> = never,
  const Left extends FieldName<Name> = never,
>(
  className: Name,
  options?: QueryOptions<Name, Include, Keys, Left> & ReadOptions,
): UseQuery<Found<Name, Include, Keys, Left>>
export function useQuery<Name extends ClassName, Item>(query: Query<Name, Item>, options?: ReadOptions): UseQuery<Item>
export function useQuery(
  given: string | Query<string, unknown>,
  options: QueryOptions & ReadOptions = {},
): UseQuery<unknown> {
  const client = useClient()
  const query = typeof given === 'string' ? { ...options, className: given } : given
  const reading = getDocumentReading<readonly unknown[]>(
    client,
    () => ({ find: writeQuery(query) }),
    (client, callbacks) => find(client, query, callbacks),
  )
  return useDocumentReading(client, reading, options)
}
