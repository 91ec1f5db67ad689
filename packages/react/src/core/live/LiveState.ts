import type { CountersignError } from '@countersign/protocol'

/** What can be seen of a client's live connection, by tools for developers and by an app that shows it. */
export type LiveState = {
  /**
   * `idle`: nothing is subscribed, or nobody knows yet who asks. `waiting`: the next attempt comes after a delay.
   * `offline`: the device has no network. `refused`: the server wants no further attempt.
   */
  readonly status: 'idle' | 'connecting' | 'open' | 'waiting' | 'offline' | 'refused'
  /** Failed attempts since the last connection that held. */
  readonly attempts: number
  readonly subscriptions: number
  /** Why the last connection ended, until one holds again. */
  readonly error?: CountersignError
}
