import type { MoralisObject } from './MoralisObject.ts'

type Handler = (entity: MoralisObject) => void

export type UseSubscriptionOptions = {
  enabled?: boolean
  onCreate?: Handler
  onUpdate?: Handler
  onEnter?: Handler
  onLeave?: Handler
  onDelete?: Handler
  /** New: why the server refused the subscription. */
  onError?: (error: Error) => void
  /** New: it has started, or events were lost: read the shown data again. */
  onResync?: () => void
}
