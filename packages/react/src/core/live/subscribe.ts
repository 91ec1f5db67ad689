import type { CountersignError } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { toCountersignError } from '../errors/errors.ts'
import { createStore, type Store } from '../state/createStore.ts'
import type { LiveState } from '../state/LiveWire.ts'
import type { ClassName } from '../values/Register.ts'
import type { SubscribeInput, SubscriptionHandlers } from './SubscribeInput.ts'

/**
 * Reports changes to the documents that a query finds and the present user may read, as they happen. After a
 * disconnection it continues where it was. Returns a function that ends it. All subscriptions of a client share one
 * connection.
 *
 * @example
 * const stop = subscribeToDocuments(client, {
 *   query: defineQuery('Game', { where: { isOver: false } }),
 *   onCreate: (game) => console.log('new', game.title),
 *   onLeave: (game) => console.log('over', game.title),
 * })
 */
export function subscribeToDocuments<Name extends ClassName, Item>(
  client: Client,
  input: SubscribeInput<Name, Item>,
): () => void {
  let isOver = false
  let stop: (() => void) | undefined
  import('./startSubscription.ts')
    .then(({ startSubscription }) => {
      if (!isOver) stop = startSubscription(client, input as SubscribeInput)
    })
    .catch((error) => {
      if (!isOver) input.onError?.(toCountersignError(error))
    })
  return () => {
    isOver = true
    stop?.()
  }
}

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
      const stop = subscribeToDocuments(client, {
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

/**
 * The state of the one live connection that a client has. Reading it opens none.
 *
 * @example
 * const live = getLiveState(client)
 * live.subscribe(() => console.log(live.get().status, live.get().attempts))
 */
export function getLiveState(client: Client): Store<LiveState> {
  const { get, subscribe } = client.internal.liveState
  return { get, subscribe }
}
