import type { Client } from '../client/Client.ts'
import type { GetOptions } from '../documents/findDocuments.ts'
import type { FieldName, IncludePath, KeyPath, Query, QueryOptions } from '../documents/Query.ts'
import { loadOnce } from '../platform/loadOnce.ts'
import type { Reading } from '../readings/createReading.ts'
import { type WatchedStore, watchReading } from '../readings/watchReading.ts'
import type { Found } from '../values/Document.ts'
import type { ClassName } from '../values/Register.ts'

type Readings = typeof import('./documentReadings.ts')

const loadReadings = /*#__PURE__*/ loadOnce((): Promise<Readings> => import('./documentReadings.ts'))

type WatchOptions = {
  /** Keeps the list current by a live query; false by default. */
  readonly live?: boolean
}

/**
 * The documents that a query finds, as a store that a component of any framework can follow. All that ask the same
 * share one reading, also with the hooks. It is read again after a save or a delete that may have changed it, and when
 * another user signs in; with `live` also when anyone changes something.
 *
 * @example
 * const games = watchDocuments(client, 'Game', { order: ['-score'], live: true })
 * const stop = games.subscribe(() => draw(games.get().data ?? []))
 */
export function watchDocuments<
  Name extends ClassName,
  const Include extends IncludePath<Name> = never,
  const Keys extends KeyPath<Name> = never,
  const Left extends FieldName<Name> = never,
>(
  client: Client,
  className: Name,
  options?: QueryOptions<Name, Include, Keys, Left> & WatchOptions,
): WatchedStore<readonly Found<Name, Include, Keys, Left>[]>

export function watchDocuments<Name extends ClassName, Item>(
  client: Client,
  query: Query<Name, Item>,
  options?: WatchOptions,
): WatchedStore<readonly Item[]>

export function watchDocuments(
  client: Client,
  given: string | Query<string, unknown>,
  options: QueryOptions & WatchOptions = {},
): WatchedStore<readonly unknown[]> {
  const { live = false, ...rest } = options
  const query = typeof given === 'string' ? { ...rest, className: given } : given
  return toStore(({ liveReading, documentsReading }) => (live ? liveReading : documentsReading)(client, query))
}

/**
 * A document by its id, as a store that a component of any framework can follow.
 *
 * @example
 * const game = watchDocument(client, 'Game', 'xWMyZ4YEGZ')
 * const stop = game.subscribe(() => draw(game.get().data))
 */
export function watchDocument<
  Name extends ClassName,
  const Include extends IncludePath<Name> = never,
  const Keys extends KeyPath<Name> = never,
  const Left extends FieldName<Name> = never,
>(
  client: Client,
  className: Name,
  objectId: string,
  options: GetOptions<Include, Keys, Left> = {},
): WatchedStore<Found<Name, Include, Keys, Left>> {
  return toStore(({ documentReading }) => documentReading(client, { ...options, className, objectId }))
}

function toStore<Data>(find: (readings: Readings) => Reading<unknown>): WatchedStore<Data> {
  return watchReading(async () => find(await loadReadings()) as Reading<Data>)
}
