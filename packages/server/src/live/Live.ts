import type { Duplex } from 'node:stream'
import type { LiveRequest } from '@countersign/protocol'
import type { WebSocket } from 'ws'
import type { Caller } from '../context/Caller.ts'
import type { LiveStats } from './LiveStats.ts'

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
