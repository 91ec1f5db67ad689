import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { Query } from '../core/documents/QueryOptions.ts'
import type { ClassName } from '../core/documents/Register.ts'
import { writeQuery } from '../core/documents/writeQuery.ts'
import { createSubscription, type SubscriptionState } from '../core/live/createSubscription.ts'
import type { SubscribeInput, SubscriptionHandlers } from '../core/live/SubscribeInput.ts'
import { useClient } from './useClient.ts'
import { useSteady } from './useReading.ts'

export type UseSubscription = SubscriptionState

const pending = { status: 'pending' } as const
const never = () => () => undefined

/**
 * Tells of changes to the objects that a query finds while the component is shown. Callbacks may be new ones with each
 * rendering. `open` means that the server has accepted it; a cut makes it `pending` until the connection is back.
 *
 * @example
 * const { status } = useSubscription({
 *   query: query('Game', { where: { isOver: false } }),
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
  const given = useMemo(
    () => ({
      store: createSubscription(client, { query, watch }, handlers),
      question: { key, client, at: Date.now() },
    }),
    [client, key],
  )
  const { store } = useSteady(given)
  const { subscribe, get } = enabled ? store : { subscribe: never, get: () => pending }
  return useSyncExternalStore<SubscriptionState>(subscribe, get, () => pending)
}

/** A query that cannot be asked has a name as well; asking it fails where errors are told. */
function nameOf(query: Query<string, unknown>, watch: readonly string[] | undefined): string {
  try {
    return JSON.stringify([writeQuery(query), watch])
  } catch (error) {
    return String(error)
  }
}
