import type { Duplex } from 'node:stream'
import type { LiveEventName, LiveRequest } from '@countersign/protocol'
import type { WebSocket } from 'ws'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import type { Limiter } from '../context/limiters.ts'
import type { Identities, LiveSession, LiveSessions } from './createSessions.ts'
import type { Feed, Position } from './feed/Feed.ts'
import type { ClassSubscriptions, Group, MatchedEvent } from './matching/matchChange.ts'
import type { SendBuffer } from './sockets/frames.ts'

/** Someone who has just opened a socket. */
export type Visitor = {
  socket: WebSocket
  /** What the socket writes to. */
  duplex: Duplex
  ipAddress: string
  /** The session of the cookie, where page and server belong together. */
  cookieToken: string | undefined
  /** Who that is by its keys, without a session. Throws where they are not right. */
  identify(frame: Extract<LiveRequest, { op: 'connect' }>): Promise<Caller>
}

/** Live queries of one server. */
export type Live = {
  accept(visitor: Visitor): void
  readonly stats: LiveStats
  /** Sends everyone to another server, and lets go of everything. */
  stop(): Promise<void>
}

/** One socket. */
export type LiveClient = {
  readonly id: string
  readonly socket: WebSocket
  readonly sendBuffer: SendBuffer
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
  /** It read too slowly, and gets nothing for now. */
  slow: Slow | undefined
  isAlive: boolean
}

/** Where a client stopped being notified: the change that did not fit, and the places before and after it. */
export type Slow = {
  readonly batch: number
  readonly index: number
  readonly from: Position
  readonly after: Position
}

/** What everything about live queries works with. */
export type LiveParts = {
  readonly context: Context
  readonly feed: Feed
  readonly stats: LiveStats
  readonly clients: Set<LiveClient>
  readonly identities: Identities
  readonly sessions: LiveSessions
  /** By class. */
  readonly subscriptionsByClass: Map<string, ClassSubscriptions>
  readonly flow: {
    /** How many batches were begun, and whether the last is still at work. */
    batch: number
    isBusy: boolean
    /** The end of the last that was sent to all. */
    sentUpTo: Position
    isStopped: boolean
  }
  /** Sockets by user. */
  readonly users: Map<string, Set<LiveClient>>
  /** Reads the classes again where they may have changed; `undefined` where they have not. */
  settleClasses(): Promise<void> | undefined
  /** Few read the log at once: a page of it takes memory. */
  takeTurn: Limiter
  /** The same for classes whose events go by way of the application's code. */
  takeHookedTurn: Limiter
  /** Changes of role members come in the order of the other changes. Open while anyone asks. */
  roles: Promise<unknown> | undefined
}

/** What live queries are doing, counted in one place. */
export type LiveStats = {
  sockets: number
  subscriptions: number
  /** Events that were sent, since the start. */
  deliveries: number
  /** Clients that read too slowly, since the start. */
  slow: number
  /** Milliseconds between the last change that was sent and its writing. */
  lag: number
}

export function createLiveStats(): LiveStats {
  return { sockets: 0, subscriptions: 0, deliveries: 0, slow: 0, lag: 0 }
}

/** One query of one client. */
export type Subscription = {
  readonly client: LiveClient
  readonly requestId: number
  /** Of the message that asked for it. */
  readonly bytes: number
  readonly group: Group
  readonly caller: Caller
  /** Absent for guests and the master key. */
  readonly session: LiveSession | undefined
  /** The beginnings of its frames, by event. */
  readonly heads: Map<LiveEventName, Buffer>
  /** The batch that was at work when it joined: it has no part in that one. */
  joined: number
  /** The place in the log at which it joined. */
  since: Position
  /** What it received last: the batch, and the place therein. */
  lastBatch: number
  lastIndex: number
  /** What happens while it is still catching up. */
  backlog: Backlog | undefined
  ended: boolean
}

export type Backlog = { events: MatchedEvent[]; bytes: number; overflown: boolean }
