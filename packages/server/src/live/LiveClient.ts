import type { WebSocket } from 'ws'
import type { Caller } from '../context/Caller.ts'
import type { Position } from './feed/Feed.ts'
import type { Subscription } from './Subscription.ts'
import type { Outlet } from './sockets/createOutlet.ts'

/** One socket. */
export type LiveClient = {
  readonly id: string
  readonly socket: WebSocket
  readonly outlet: Outlet
  readonly ipAddress: string
  readonly subscriptions: Map<number, Subscription>
  /** Who it is by its keys, once it has said so. */
  caller: Caller | undefined
  /** Of the first message, or of the cookie. */
  token: string | undefined
  /** Users on whose behalf it asks. */
  readonly users: Set<string>
  /** Whether it understands positions. */
  positions: boolean
  /** `clientId` and `installationId` as they stand in every frame to it. */
  who: string
  /** It read too slowly, and is told nothing for now. */
  slow: Slow | undefined
  isAlive: boolean
}

/** Where a client stopped being told: the change that did not fit, and the places before and after it. */
export type Slow = {
  readonly batch: number
  readonly index: number
  readonly from: Position
  readonly after: Position
}
