import type { WireFields } from './values.ts'

/** Flag in a client's first frame: it supports positions and resumes where it was disconnected. */
export const livePositions = 'positions'

/**
 * Flag in a client's first frame: it has no session. Browsers always send cookies with a socket, so a stale or foreign
 * cookie must not sign in a page on which nobody is signed in.
 */
export const liveGuest = 'guest'

/** Flag in a client's first frame: it stores documents, and is notified when the caller's rights change. */
export const liveAccess = 'access'

/**
 * A place in the log of changes, opaque to clients. Every server on the same database understands it. It describes the
 * seen changes, not a number: changes become visible in the order of commits, which no sequence has.
 */
export type LivePosition = string

export type LiveQueryText = {
  className: string
  where: WireFields
  keys?: string[]
  /** The name of `keys` in older clients. */
  fields?: string[]
  /** Updates are sent only when one of these fields changed. */
  watch?: string[]
}

/** Frames from the client. Those of the older clients have neither `features` nor `from`. */
export type LiveRequest =
  | {
      op: 'connect'
      applicationId: string
      javascriptKey?: string
      clientKey?: string
      restAPIKey?: string
      masterKey?: string
      sessionToken?: string
      installationId?: string
      features?: string[]
    }
  | {
      op: 'subscribe' | 'update'
      requestId: number
      query: LiveQueryText
      sessionToken?: string
      /** Everything after this position is sent before anything new. */
      from?: LivePosition
    }
  | { op: 'unsubscribe'; requestId: number }

export type LiveEventName = 'create' | 'update' | 'enter' | 'leave' | 'delete'

/** Frames from the server. `position` goes only to clients that asked for it. */
export type LiveAnswer = { clientId: string; installationId?: string } & (
  | { op: 'connected' }
  /** `access` goes only to clients that asked for it: another value than before means other rights. */
  | { op: 'subscribed'; requestId: number; position?: LivePosition; access?: string }
  | { op: 'unsubscribed'; requestId: number }
  | { op: LiveEventName; requestId: number; object: WireFields; original?: WireFields; position?: LivePosition }
  /**
   * Sign of life, at least every `liveHeartbeat` milliseconds under any load: a client takes silence for a dead
   * connection. Changes before the position, if given, need not be requested again.
   */
  | { op: 'position'; position?: LivePosition }
  /** Changes were lost to this subscription (its position is too old, or it was too slow): query again, continue from here. */
  | { op: 'resync'; requestId: number; position: LivePosition }
  /** The caller's rights on the class have changed: query again. */
  | { op: 'access'; requestId: number; access: string }
  | { op: 'error'; code: number; error: string; reason?: string; reconnect: boolean; requestId: number | null }
)

export const liveHeartbeat = 10_000
