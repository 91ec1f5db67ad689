import type { UseSubscriptionOptions } from '../hooks/useMoralisSubscription.ts'
import type { MoralisQuery, MoralisSubscription } from './MoralisQuery.ts'

const handlers = {
  create: 'onCreate',
  update: 'onUpdate',
  enter: 'onEnter',
  leave: 'onLeave',
  delete: 'onDelete',
} as const

/** Tells whoever `find` names at the time of what happens to the objects of a query. */
export async function followQuery(
  query: MoralisQuery,
  find: () => UseSubscriptionOptions,
): Promise<MoralisSubscription | undefined> {
  try {
    const subscription = await query.subscribe()
    find().onResync?.()
    subscription.on('resync', () => find().onResync?.())
    for (const [event, name] of Object.entries(handlers)) {
      subscription.on(event, (entity) => find()[name]?.(entity))
    }
    return subscription
  } catch (error) {
    find().onError?.(error as Error)
    return undefined
  }
}
