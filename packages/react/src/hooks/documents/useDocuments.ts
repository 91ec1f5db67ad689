'use client'

import type { CountOptions, GetOptions } from '../../core/documents/findDocuments.ts'
import type { FieldName, IncludePath, KeyPath, Query, QueryOptions } from '../../core/documents/Query.ts'
import { countReading, documentReading, documentsReading } from '../../core/live/documentReadings.ts'
import type { Reading } from '../../core/readings/createReading.ts'
import type { Found } from '../../core/values/Document.ts'
import type { ClassName } from '../../core/values/Register.ts'
import { useClient } from '../client/useClient.ts'
import { type PlainReadOptions, type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

/**
 * The objects that a query finds. Components that ask the same share one reading; it is read again after a save or a
 * delete that may have changed it, and when another user signs in.
 *
 * @example
 * const games = useDocuments('Game', { where: { score: { $gt: 5 } }, order: ['-score'], limit: 20 })
 * if (games.status === 'success') return games.data.map((game) => <p key={game.objectId}>{game.title}</p>)
 */
export function useDocuments<
  Name extends ClassName,
  const Include extends IncludePath<Name> = never,
  const Keys extends KeyPath<Name> = never,
  const Left extends FieldName<Name> = never,
  Selected = readonly Found<Name, Include, Keys, Left>[],
>(
  className: Name,
  options?: QueryOptions<Name, Include, Keys, Left> &
    ReadOptions<readonly Found<Name, Include, Keys, Left>[], Selected>,
): UseAsync<Selected>

export function useDocuments<Name extends ClassName, Item, Selected = readonly Item[]>(
  query: Query<Name, Item>,
  options?: ReadOptions<readonly Item[], Selected>,
): UseAsync<Selected>

export function useDocuments(
  given: string | Query<string, unknown>,
  options: QueryOptions & PlainReadOptions = {},
): UseAsync<unknown> {
  const query = typeof given === 'string' ? { ...options, className: given } : given
  return useReading(documentsReading(useClient(), query), options as ReadOptions<readonly unknown[], unknown>)
}

/**
 * An object by its id; nothing is read while there is none. It is read again after a save that may have changed it.
 *
 * @example
 * const game = useDocument('Game', 'xWMyZ4YEGZ', { include: ['owner'] })
 * if (game.status === 'success') return <h1>{game.data.title}</h1>
 */
export function useDocument<
  Name extends ClassName,
  const Include extends IncludePath<Name> = never,
  const Keys extends KeyPath<Name> = never,
  const Left extends FieldName<Name> = never,
  Selected = Found<Name, Include, Keys, Left>,
>(
  className: Name,
  objectId: string | undefined,
  options: GetOptions<Include, Keys, Left> & ReadOptions<Found<Name, Include, Keys, Left>, Selected> = {},
): UseAsync<Selected> {
  const { include, keys, excludeKeys, maxStaleness, ...rest } = options
  const asked = { className, objectId, include, keys, excludeKeys, maxStaleness }
  const reading = documentReading(useClient(), asked) as Reading<Found<Name, Include, Keys, Left>>
  return useReading(reading, { ...rest, enabled: rest.enabled !== false && objectId !== undefined })
}

/**
 * How many objects a query would find without `limit` and `skip`.
 *
 * @example
 * const games = useDocumentCount('Game', { where: { score: { $gt: 5 } } })
 * if (games.status === 'success') return <p>{games.data} games</p>
 */
export function useDocumentCount<Name extends ClassName, Item, Selected = number>(
  query: Query<Name, Item>,
  options?: ReadOptions<number, Selected>,
): UseAsync<Selected>

export function useDocumentCount<Name extends ClassName, Selected = number>(
  className: Name,
  options?: CountOptions<Name> & ReadOptions<number, Selected>,
): UseAsync<Selected>

export function useDocumentCount(
  given: string | Query<string, unknown>,
  options: CountOptions<ClassName> & PlainReadOptions = {},
): UseAsync<unknown> {
  const { where, maxStaleness } = options
  const query: Query<string, unknown> = typeof given === 'string' ? { className: given, where, maxStaleness } : given
  return useReading(countReading(useClient(), query), options as ReadOptions<number, unknown>)
}
