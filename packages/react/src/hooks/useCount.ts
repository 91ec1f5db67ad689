import { count } from '../core/documents/count.ts'
import { getDocumentReading } from '../core/documents/getDocumentReading.ts'
import type { Query } from '../core/documents/QueryOptions.ts'
import type { ClassName } from '../core/documents/Register.ts'
import type { Where } from '../core/documents/Where.ts'
import { writeQuery } from '../core/documents/writeQuery.ts'
import { useClient } from './useClient.ts'
import { type ReadOptions, type UseDocumentReading, useDocumentReading } from './useDocumentReading.ts'

/**
 * How many objects a query would find without `limit` and `skip`.
 *
 * @example
 * const games = useCount('Game', { where: { score: { $gt: 5 } } })
 * if (games.status === 'success') return <p>{games.data} games</p>
 */
export function useCount<Name extends ClassName, Item>(
  query: Query<Name, Item>,
  options?: ReadOptions,
): UseDocumentReading<number>
export function useCount<Name extends ClassName>(
  className: Name,
  options?: { readonly where?: Where<Name> } & ReadOptions,
): UseDocumentReading<number>
export function useCount(
  given: string | Query<string, unknown>,
  options: { readonly where?: Where } & ReadOptions = {},
): UseDocumentReading<number> {
  const client = useClient()
  const query: Query<string, unknown> = typeof given === 'string' ? { className: given, where: options.where } : given
  const { className, where, redirectClassNameForKey } = query
  const reading = getDocumentReading<number>(
    client,
    () => ({ count: writeQuery({ className, where, redirectClassNameForKey }) }),
    (client, callbacks) => count(client, query, callbacks),
  )
  return useDocumentReading(client, reading, options)
}
