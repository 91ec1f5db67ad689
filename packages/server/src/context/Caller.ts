import type { OperatorRole } from '@countersign/protocol'
import type { HeldSession } from './createSessionCache.ts'

/** The name of a caller in the audit log. A session that an operator opened for a user is used by the operator. */
export function actorOf({ session, isMaster, operator }: Caller): string {
  if (session?.openedBy !== undefined) return session.openedBy
  if (session && operator) return `operator:${session.userId}`
  return session && !isMaster ? `user:${session.userId}` : 'masterKey'
}

/** Who asks. Made by the request handler from keys and session alone, never from what a client says of itself. */
export type Caller = {
  isMaster: boolean
  /** Above every rule of reading, and allowed no write. */
  isReadOnly?: boolean
  /**
   * Whether the keys that it came with still open what they opened. Asked again by everything that outlives one request.
   * Keeps fingerprints, never the keys.
   */
  keysHold?: () => boolean
  /** An operator in the console, in this role. `isMaster` and `isReadOnly` follow from it. */
  operator?: OperatorRole
  /** Our own page on the developer's machine: may read the outbox. */
  isLocalApp: boolean
  /** Code of the application itself, in this process. */
  isCode?: boolean
  session?: HeldSession
  installationId?: string
  /** The secret of an invitation to sign up. */
  invitation?: string
  /** What only the asking browser or installation holds: a challenge given to it serves no other. */
  binding?: string
  /** The secret of a browser on which the second factor is remembered. */
  device?: string
  /** The page that asks, as its browser tells. */
  origin?: string
  ipAddress: string
  /** A proxy sent the address. */
  isForwarded?: boolean
  userAgent?: string
  /** The languages that its browser asks for, as it says them. */
  acceptLanguage?: string
  /** Ends long work on behalf of a caller who has closed the connection. */
  left?: () => AbortSignal
  /** The client's own id of this request: the same when it repeats it. */
  requestId?: string
  /** As they came, with all that is secret in them: for `codeCallerOf` alone. */
  headers?: { [name: string]: string | string[] | undefined }
  /** What the client sent along for the application's own code. */
  codeContext?: Record<string, unknown>
}
