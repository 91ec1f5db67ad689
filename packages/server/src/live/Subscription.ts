import type { LiveEventName } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { LiveSession } from './createSessions.ts'
import type { Position } from './feed/Feed.ts'
import type { LiveClient } from './LiveClient.ts'
import type { Told } from './matching/judge.ts'
import type { Group } from './matching/Matching.ts'

/** One question of one client. */
export type Subscription = {
  readonly client: LiveClient
  readonly requestId: number
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
  /** What it was told last: the batch, and the place therein. */
  lastBatch: number
  lastIndex: number
  /** What happens while it is still being told what it missed. */
  backlog: Backlog | undefined
  ended: boolean
}

export type Backlog = { told: Told[]; bytes: number; overflown: boolean }
