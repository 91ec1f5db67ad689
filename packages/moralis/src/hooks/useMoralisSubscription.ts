import { useEffect, useInsertionEffect, useRef } from 'react'
import type { Attributes } from '../Loose.ts'
import { loadLater } from '../loadLater.ts'
import type { MoralisObject, MoralisQuery } from '../parse/MoralisObject.ts'
import type { UseSubscriptionOptions } from '../parse/SubscriptionOptions.ts'
import { useMoralis } from './useMoralis.ts'

/**
 * Is notified of changes to the objects that a query finds.
 *
 * @example
 * useMoralisSubscription('Message', (query) => query.equalTo('room', 'lobby'), [], {
 *   onCreate: (message) => console.log(message.get('text')),
 * })
 */
export function useMoralisSubscription<Entity extends Attributes = Attributes>(
  nameOrObject: string | MoralisObject,
  queryMap: (query: MoralisQuery<MoralisObject<Entity>>) => MoralisQuery<MoralisObject<Entity>> = (query) => query,
  dependencies: unknown[] = [],
  options: UseSubscriptionOptions = {},
): void {
  const { Moralis, isInitialized } = useMoralis()
  const { enabled = true } = options
  const latest = useRef(options)
  useInsertionEffect(() => {
    latest.current = options
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: name and map are read again when the caller's own list says so
  useEffect(() => {
    if (!enabled || !isInitialized) return
    let isOver = false
    const query = queryMap(new Moralis.Query<MoralisObject<Entity>>(nameOrObject))
    const find = (): UseSubscriptionOptions => (isOver ? {} : latest.current)
    const following = loadLater().then(
      ({ followQuery }) => followQuery(query as unknown as MoralisQuery, find),
      (error) => void find().onError?.(error),
    )
    return () => {
      isOver = true
      void following.then((subscription) => subscription?.unsubscribe())
    }
  }, [Moralis, isInitialized, enabled, ...dependencies])
}
