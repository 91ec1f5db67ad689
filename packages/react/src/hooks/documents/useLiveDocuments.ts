'use client'

import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { writeQuery } from '../../core/documents/findDocuments.ts'
import type { FieldName, IncludePath, KeyPath, Query, QueryOptions } from '../../core/documents/Query.ts'
import { liveReading } from '../../core/live/documentReadings.ts'
import type { SubscribeInput, SubscriptionHandlers } from '../../core/live/SubscribeInput.ts'
import { createSubscription, type SubscriptionState } from '../../core/live/subscribe.ts'
import type { Found } from '../../core/values/Document.ts'
import type { ClassName } from '../../core/values/Register.ts'
import { useClient } from '../client/useClient.ts'
import {
  type PlainReadOptions,
  type ReadOptions,
  type UseAsync,
  useChangeWarning,
  useReading,
} from '../client/useReading.ts'

/**
 * The objects that a query finds, as `useDocuments` gives them, kept current with everyone's creates, changes and
 * deletes. Components with the same query share one subscription.
 *
 * @example
 * const games = useLiveDocuments('Game', { where: { isOver: false }, order: ['-score'], limit: 20 })
 * if (games.status === 'success') return games.data.map((game) => <p key={game.objectId}>{game.title}</p>)
 */
export function useLiveDocuments<
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

export function useLiveDocuments<Name extends ClassName, Item, Selected = readonly Item[]>(
  query: Query<Name, Item>,
  options?: ReadOptions<readonly Item[], Selected>,
): UseAsync<Selected>

export function useLiveDocuments(
  given: string | Query<string, unknown>,
  options: QueryOptions & PlainReadOptions = {},
): UseAsync<unknown> {
  const query = typeof given === 'string' ? { ...options, className: given } : given
  return useReading(liveReading(useClient(), query), options as ReadOptions<readonly unknown[], unknown>)
}

export type UseSubscription = SubscriptionState

const pending = { status: 'pending' } as const

const never = () => () => undefined

/**
 * Reports changes to the documents that a query finds while the component is shown. Callbacks may be new ones with each
 * rendering. `open` means that the server has accepted it; a cut makes it `pending` until the connection is back.
 *
 * @example
 * const { status } = useSubscription({
 *   query: defineQuery('Game', { where: { isOver: false } }),
 *   onCreate: (game) => showToast(`${game.title} has begun`),
 * })
 */
export function useSubscription<Name extends ClassName, Item>(
  input: SubscribeInput<Name, Item> & {
    /** With `false` nothing is subscribed. */
    readonly enabled?: boolean
  },
): UseSubscription {
  const client = useClient()
  const { query, watch, enabled = true } = input
  const handlers = useRef(input as SubscriptionHandlers)
  useEffect(() => {
    handlers.current = input as SubscriptionHandlers
  })
  const key = nameOf(query, watch)
  // biome-ignore lint/correctness/useExhaustiveDependencies: two queries that ask the same are one subscription
  const store = useMemo(() => createSubscription(client, { query, watch }, handlers), [client, key])
  useChangeWarning(key)
  const { subscribe, get } = enabled ? store : { subscribe: never, get: () => pending }
  return useSyncExternalStore<SubscriptionState>(subscribe, get, () => pending)
}

/** A query that cannot be sent has a key as well; sending it fails where errors are shown. */
function nameOf(query: Query<string, unknown>, watch: readonly string[] | undefined): string {
  try {
    return JSON.stringify([writeQuery(query), watch])
  } catch (error) {
    return String(error)
  }
}
