import type { CountersignError } from '@countersign/protocol'
import type { Client } from '../Client.ts'
import { createStore } from '../createStore.ts'
import type { Store } from '../Store.ts'
import type { SubscribeInput, SubscriptionHandlers } from './SubscribeInput.ts'
import { subscribe } from './subscribe.ts'

export type SubscriptionState =
  | { readonly status: 'pending' }
  | { readonly status: 'open' }
  | { readonly status: 'error'; readonly error: CountersignError }

const pending = { status: 'pending' } as const
const open = { status: 'open' } as const

/** A subscription that lasts while its state is watched. The callbacks are those that `handlers` holds at the time. */
export function createSubscription(
  client: Client,
  asked: Pick<SubscribeInput, 'query' | 'watch'>,
  handlers: { readonly current: SubscriptionHandlers },
): Store<SubscriptionState> {
  const state = createStore<SubscriptionState>(pending)
  return {
    get: state.get,
    subscribe(listener) {
      const stopWatching = state.subscribe(listener)
      const stop = subscribe(client, {
        ...asked,
        onCreate: (object) => handlers.current.onCreate?.(object),
        onUpdate: (object, original) => handlers.current.onUpdate?.(object, original),
        onEnter: (object, original) => handlers.current.onEnter?.(object, original),
        onLeave: (object, original) => handlers.current.onLeave?.(object, original),
        onDelete: (object) => handlers.current.onDelete?.(object),
        onResync: () => handlers.current.onResync?.(),
        onOpen() {
          state.set(open)
          handlers.current.onOpen?.()
        },
        onClose() {
          state.set(pending)
          handlers.current.onClose?.()
        },
        onError(error) {
          state.set({ status: 'error', error })
          handlers.current.onError?.(error)
        },
      })
      return () => {
        stopWatching()
        stop()
        state.set(pending)
      }
    },
  }
}
