import type { Client } from '../Client.ts'
import type { ClassName } from '../documents/Register.ts'
import { toCountersignError } from '../errors/toCountersignError.ts'
import type { SubscribeInput } from './SubscribeInput.ts'

/**
 * Tells of changes to the objects that a query finds and the present user may read, as they happen. After a cut it
 * goes on where it was. Answers the function that ends it. All subscriptions of a client share one connection.
 *
 * @example
 * const stop = subscribe(client, {
 *   query: query('Game', { where: { isOver: false } }),
 *   onCreate: (game) => console.log('new', game.title),
 *   onLeave: (game) => console.log('over', game.title),
 * })
 */
export function subscribe<Name extends ClassName, Item>(client: Client, input: SubscribeInput<Name, Item>): () => void {
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
