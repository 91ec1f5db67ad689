import type {
  CountersignError,
  LiveEventName,
  LivePosition,
  LiveQueryText,
  LiveRequest,
  WireFields,
} from '@countersign/protocol'

/** Caller and server of the connection. `key` changes with every session, `reader` only with the user. */
export type LiveIdentity = {
  readonly key: string
  readonly reader: string
  readonly url: string
  readonly connect: Extract<LiveRequest, { op: 'connect' }>
}

/** A line to the server, open or being opened. */
export type LiveLine = { readonly send: (text: string) => void; readonly close: () => void }

export type LineHandlers = {
  readonly onOpen: () => void
  readonly onMessage: (text: string) => void
  /** Called once; never after `close`. */
  readonly onClose: (reason: string) => void
}

export type LiveEvent = {
  readonly op: LiveEventName
  readonly object: WireFields
  readonly original?: WireFields
  readonly position?: LivePosition
}

export type LiveHandlers = {
  readonly onEvent: (event: LiveEvent) => void
  /** `isWhole`: everything since the last event arrives, so that nothing has to be read again. */
  readonly onOpen: (isWhole: boolean, access?: string) => void
  readonly onClose: () => void
  /** Events were lost; later ones are complete again. */
  readonly onResync: () => void
  /** The server refuses the subscription. It is asked for again when the session changes. */
  readonly onError: (error: CountersignError) => void
  /** Everything before this position has been received. */
  readonly onPosition?: (position: LivePosition) => void
  /** The caller's rights on the class are others than before. */
  readonly onAccess?: (access: string) => void
}

export type LiveSubscription = {
  readonly requestId: number
  readonly query: LiveQueryText
  readonly handlers: LiveHandlers
  phase: 'waiting' | 'asked' | 'open' | 'refused'
  /** Up to where events have been received. */
  position?: LivePosition
}

/** State of a client's live connection, for developer tools and for apps that show it. */
export type LiveState = {
  /**
   * `idle`: nothing is subscribed, or the user is still unknown. `waiting`: the next attempt comes after a delay.
   * `offline`: the device has no network. `refused`: the server allows no further attempt.
   */
  readonly status: 'idle' | 'connecting' | 'open' | 'waiting' | 'offline' | 'refused'
  /** Failed attempts since the last connection that held. */
  readonly attempts: number
  readonly subscriptions: number
  /** Why the last connection ended, until one holds again. */
  readonly error?: CountersignError
}

/** All subscriptions of a client over one connection. */
export type LiveSocket = {
  /** `from`: position of an earlier page, after which events follow. */
  readonly subscribe: (query: LiveQueryText, handlers: LiveHandlers, from?: LivePosition) => () => void
  /** The session or the initialization may have changed. */
  readonly lookAgain: () => void
  /** Current subscriptions. */
  readonly list: () => readonly Pick<LiveSubscription, 'requestId' | 'query' | 'phase'>[]
  readonly wake: () => void
  readonly sleep: () => void
  /** The page is hidden and may come back: an open socket would keep it out of the back-forward cache. */
  readonly leave: () => void
}
