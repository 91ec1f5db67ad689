import type { Duplex } from 'node:stream'
import type { LiveEventName, LiveRequest, WireFields } from '@countersign/protocol'
import type { WebSocket } from 'ws'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import type { NameTree } from '../objects/find/Selection.ts'
import type { Decision } from '../permissions/Decision.ts'
import type { HiddenFields } from '../permissions/hiddenFields.ts'
import type { Condition } from '../queries/Condition.ts'
import type { Access } from '../roles/accessOf.ts'
import type { Scope } from '../scopes/Scope.ts'
import type { Limiter } from '../work/createLimiter.ts'
import type { Feed, Position } from './feed/Feed.ts'
import type { IndexEntry } from './matching/indexEntries.ts'

/** Someone who has just opened a socket. */
export type Visitor = {
  socket: WebSocket
  /** Stream of the socket. */
  duplex: Duplex
  ipAddress: string
  /** The session of the cookie, where page and server belong together. */
  cookieToken: string | undefined
  /** Identifies the caller by its keys, without a session. Throws if they are wrong. */
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
  /** Caller by its keys, after the first frame. */
  caller: Caller | undefined
  /** Of the first message, or of the cookie. */
  token: string | undefined
  /** Users that it acts for. */
  readonly users: Set<string>
  /** True if the client supports positions. */
  positions: boolean
  /** True if the client stores documents and needs a notice of changed rights. */
  followsAccess: boolean
  /** `clientId` and `installationId` in every frame to it. */
  who: string
  /** It read too slowly, and gets nothing for now. */
  slow: Slow | undefined
  isAlive: boolean
}

/** Position of a slow client: the change that did not fit, and the positions around it. */
export type Slow = {
  readonly batch: number
  readonly index: number
  readonly from: Position
  readonly after: Position
}

/** Dependencies of all live-query code. */
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
  /** Subscriptions of clients that store what they receive. */
  readonly stored: Set<Subscription>
}

/** Counters of live queries. */
export type LiveStats = {
  sockets: number
  subscriptions: number
  /** Events that were sent, since the start. */
  deliveries: number
  /** Clients that read too slowly since the start. */
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
  /** Last event received: batch and index. */
  lastBatch: number
  lastIndex: number
  /** Fingerprint of the rights that its client knows; only in `stored`. */
  access?: string
  /** Events that arrive while it is still catching up. */
  backlog: Backlog | undefined
  ended: boolean
}

export type Backlog = { events: MatchedEvent[]; bytes: number; overflown: boolean }

/** A session on which queries stand. */
export type LiveSession = {
  readonly objectId: string
  readonly userId: string
  expiresAt: number
  /** Hash of the token that it was opened with. */
  readonly tokenKey: string
  readonly subscriptions: Set<Subscription>
  uses: number
  hasEnded: boolean
}

export type LiveSessions = {
  /** Counted: one `release` for each. */
  take(session: NonNullable<Caller['session']>): LiveSession
  release(session: LiveSession): void
  /** Resolves when all reported session changes are checked; rejects if that fails. `undefined` if there were none. */
  settle(): Promise<void> | undefined
  stop(): Promise<void>
}

/** One caller, with any number of sockets and sessions. */
export type Identity = {
  readonly key: string
  access: Access
  /** Service account whose roles the access follows. */
  readonly service: { account: { id: string; name: string }; scope: Scope } | undefined
  /** Derived rights, by operation and class. */
  readonly rights: Map<string, Rights>
  isStale: boolean
  uses: number
}

export type Identities = {
  take(caller: Caller): Promise<Identity>
  release(identity: Identity): void
  /** A role changed: all identities are outdated until settled. */
  doubt(): void
  /** Reads the roles of all outdated identities, in one statement. `undefined` if there are none. */
  settle(): Promise<void> | undefined
}

/** Rights of a caller on a class. The object stays the same while class and roles do: results are cached by it. */
export type Rights = {
  readonly schema: ClassSchema
  readonly access: Access
  readonly decision: Decision
  readonly hidden: HiddenFields
  /** Key of the hidden fields; `undefined` if they differ between objects. */
  readonly hiddenKey: string | undefined
}

/** A query, for all who ask it: decided once for each change. */
export type SubscriptionQuery = {
  readonly key: string
  readonly className: string
  readonly where: WireFields
  readonly watch: readonly string[] | undefined
  readonly operation: 'find' | 'get'
  condition: Condition
  readonly groups: Map<string, Group>
  /** Time from which `$relativeTime` counts, also when the query is compiled again. */
  readonly askedAt: Date
  /** Locations in the index; `undefined` if it is evaluated for every change. */
  entries: readonly IndexEntry[] | undefined
}

/** A change while it is being sent, with everything about it that is worked out once. */
export type ChangeContext = {
  readonly schema: ClassSchema
  readonly before: WireFields | undefined
  readonly after: WireFields | undefined
  /** The place right after it. */
  position(): Position
  /** Match of the document with a query: 1 before, 2 after, 3 both. */
  readonly matched: Map<SubscriptionQuery, number>
  /** Readability, with the same numbers. */
  readonly readable: Map<Rights, number>
  readonly bodies: Map<string, Body>
  /** True if the field's value changed. */
  readonly changed: Map<string, boolean>
}

/** The part of a frame that is the same for all who see the same, to its end. */
export type Body = { plain: Buffer; positioned: Buffer | undefined }

/** Event for a group. Both documents are readable by its members. */
export type MatchedEvent = {
  readonly event: LiveEventName
  readonly changeContext: ChangeContext
  readonly object: WireFields
  readonly original: WireFields | undefined
}

/** Subscribers with the same query, rights and fields. */
export type Group = {
  readonly key: string
  readonly query: SubscriptionQuery
  readonly identity: Identity
  readonly keys: NameTree | undefined
  readonly keysKey: string
  rights: Rights
  readonly members: Set<Subscription>
}

/** The queries about one class, found by what they ask for. */
export type ClassSubscriptions = {
  readonly queries: Map<string, SubscriptionQuery>
  /** Places in documents at which the index looks. */
  readonly indexedPlaces: number
  /** Schema that the conditions were compiled with. */
  schema: ClassSchema
  add(query: SubscriptionQuery): void
  remove(query: SubscriptionQuery): void
  /** Puts a query whose condition was read again in its place. */
  replace(query: SubscriptionQuery): void
  /** Queries that may match one of the two; each once. */
  candidates(before: WireFields | undefined, after: WireFields | undefined): Iterable<SubscriptionQuery>
}

/** Outgoing frames of one client. Frames wait for `flush`, so that frames of one turn leave together. */
export type SendBuffer = {
  /** `false` where the frame does not fit: the client reads too slowly, and nothing was taken. */
  push(frame: Buffer): boolean
  /** Takes the frame whatever waits already: for the few that the server itself has to say. */
  force(frame: Buffer): void
  flush(): void
  /** Returns true if the client has too much unread data. */
  isFull(): boolean
  /** Resolves when everything has left, or the connection has ended. */
  drained(): Promise<void>
}
