import type { Query } from '../../core/documents/QueryOptions.ts'
import { subscribe } from '../../core/live/subscribe.ts'
import type { Loose } from '../Loose.ts'
import type { MoralisSubscription } from './MoralisQuery.ts'
import type { ParseKit } from './ParseKit.ts'
import { wrapValue } from './wrapValue.ts'

/** A subscription as the older SDK had it; settled once the server accepted or refused it. */
export function openSubscription(kit: ParseKit, query: Query<string, unknown>): Promise<MoralisSubscription> {
  const listeners = new Map<string, Set<(...args: Loose[]) => void>>()
  const emit = (event: string, ...args: unknown[]) => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(...args)
  }
  const tell = (event: string) => (object: unknown, original?: unknown) =>
    emit(event, wrapValue(kit, object), original && wrapValue(kit, original))
  // Events carry pointers alone, whatever the query would include; the older SDK said nothing of it.
  const { include: _, ...followed } = query
  return new Promise((resolve, reject) => {
    const stop = subscribe(kit.client, {
      query: followed,
      onCreate: tell('create'),
      onUpdate: tell('update'),
      onEnter: tell('enter'),
      onLeave: tell('leave'),
      onDelete: tell('delete'),
      onResync: () => emit('resync'),
      onClose: () => emit('close'),
      onOpen() {
        resolve(subscription)
        emit('open')
      },
      onError(error) {
        reject(error)
        emit('error', error)
      },
    })
    const subscription: MoralisSubscription = {
      on(event, listener) {
        listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
        return subscription
      },
      off(event, listener) {
        listeners.get(event)?.delete(listener)
        return subscription
      },
      async unsubscribe() {
        stop()
        listeners.clear()
      },
    }
  })
}
