import type { CountersignError } from '@countersign/protocol'
import type { Query } from '../documents/Query.ts'
import type { ClassName } from '../values/Register.ts'

export type SubscribeInput<Name extends ClassName = ClassName, Item = unknown> = {
  /** Class, conditions and keys of the documents. Order, limit and skip have no meaning for events. */
  readonly query: Query<Name, Item>
  /** Updates are reported only when one of these fields changed. */
  readonly watch?: readonly string[]
} & SubscriptionHandlers<Item>

export type SubscriptionHandlers<Item = unknown> = {
  /** An object was made that the query finds. */
  readonly onCreate?: ((object: Item) => void) | undefined
  /** An object that the query finds was changed, and it still finds it. */
  readonly onUpdate?: ((object: Item, original: Item | undefined) => void) | undefined
  /** An object was changed so that the query now finds it. */
  readonly onEnter?: ((object: Item, original: Item | undefined) => void) | undefined
  /** An object was changed so that the query no longer finds it. */
  readonly onLeave?: ((object: Item, original: Item | undefined) => void) | undefined
  readonly onDelete?: ((object: Item) => void) | undefined
  /** The server accepted the subscription; again after each time that the connection was cut. */
  readonly onOpen?: (() => void) | undefined
  /** The connection is lost. It reconnects automatically, and missed events follow. */
  readonly onClose?: (() => void) | undefined
  /** Events were lost, or another user signed in: derived data has to be read again. */
  readonly onResync?: (() => void) | undefined
  /** The server refused the subscription. */
  readonly onError?: ((error: CountersignError) => void) | undefined
}
