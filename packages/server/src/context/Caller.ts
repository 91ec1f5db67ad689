import type { OperatorRole } from '@countersign/protocol'
import type { HeldSession, HeldToken } from '../caches/createSessionCache.ts'
import type { InsertGroup } from '../db/createInsertGroup.ts'

/** The name of a caller in the audit log. A session that an operator opened for a user is used by the operator. */
export function actorOf({ session, isMaster, operator, token }: Caller): string {
  if (token?.grant.kind === 'service') return `service:${token.grant.service?.name ?? token.grant.name}`
  if (token?.grant.kind === 'operator') return `key:${token.grant.name}`
  if (session?.openedBy !== undefined) return session.openedBy
  if (session && operator) return `operator:${session.userId}`
  return session && !isMaster ? `user:${session.userId}` : 'masterKey'
}

/** Sender of a request. Built by the request handler from keys and session, never from a client's own claims. */
export type Caller = {
  isMaster: boolean
  /** Above every rule of reading, and allowed no write. */
  isReadOnly?: boolean
  /**
   * Returns true if the caller's keys are still valid. Everything that outlives one request checks again. Stores
   * fingerprints, never keys.
   */
  keysHold?: () => boolean
  /** An operator in the console, in this role. `isMaster` and `isReadOnly` follow from it. */
  operator?: OperatorRole
  /** Our own page on the developer's machine: may read the outbox. */
  isLocalApp: boolean
  /** Code of the application itself, in this process. */
  isCode?: boolean
  session?: HeldSession
  /** Token whose scope narrows everything that this caller may do. For a person, `session` is the same object. */
  token?: HeldToken
  /** Thumbprint of the key whose proof came with the request (DPoP). */
  proofKey?: string
  installationId?: string
  /** The secret of an invitation to sign up. */
  invitation?: string
  /** Secret of the browser or installation: a challenge given to it is rejected elsewhere. */
  binding?: string
  /** The secret of a browser on which the second factor is remembered. */
  device?: string
  /** Origin of the calling page, from its browser. */
  origin?: string
  ipAddress: string
  /** A proxy sent the address. */
  isForwarded?: boolean
  userAgent?: string
  /** Accept-Language header of the browser. */
  acceptLanguage?: string
  /** Ends long work on behalf of a caller who has closed the connection. */
  left?: () => AbortSignal
  /** The client's own id of this request: the same when it repeats it. */
  requestId?: string
  /** Seconds that its response is kept for repeats, where the client asks for more than usual. */
  requestAge?: number
  /** Inserts of the batch that this is a part of. */
  inserts?: InsertGroup
  /** As they came, with all that is secret in them: for `codeCallerOf` alone. */
  headers?: { [name: string]: string | string[] | undefined }
  /** Context that the client sent for application code. */
  codeContext?: Record<string, unknown>
}
