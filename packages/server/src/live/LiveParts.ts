import type { Context } from '../context/Context.ts'
import type { Turnstile } from '../context/createTurnstile.ts'
import type { Identities } from './createIdentities.ts'
import type { LiveSessions } from './createSessions.ts'
import type { Feed, Position } from './feed/Feed.ts'
import type { LiveClient } from './LiveClient.ts'
import type { LiveStats } from './LiveStats.ts'
import type { Room } from './matching/createRoom.ts'

/** What everything about live queries works with. */
export type LiveParts = {
  readonly context: Context
  readonly feed: Feed
  readonly stats: LiveStats
  readonly clients: Set<LiveClient>
  readonly identities: Identities
  readonly sessions: LiveSessions
  /** By class. */
  readonly rooms: Map<string, Room>
  readonly flow: {
    /** How many batches were begun, and whether the last is still at work. */
    batch: number
    isBusy: boolean
    /** The end of the last that was told to all. */
    told: Position
    isStopped: boolean
  }
  /** Sockets by user. */
  readonly users: Map<string, Set<LiveClient>>
  /** Reads the classes again where they may have changed; `undefined` where they have not. */
  settleClasses(): Promise<void> | undefined
  /** Few read the log at once: a page of it takes memory. */
  takeTurn: Turnstile
  /** The same for classes whose events go by way of the application's code. */
  takeHookedTurn: Turnstile
  /** Who holds a role is told in the order of the other changes. Open while anyone asks. */
  roles: Promise<unknown> | undefined
}
