import type { KnownSession } from './createSessionCache.ts'

/** Who asks. Made by the gate from keys and session alone, never from what a client says of itself. */
export type Caller = {
  isMaster: boolean
  /** Above every rule of reading, and allowed no write. */
  isReadOnly?: boolean
  /** Our own page on the developer's machine: may read the outbox. */
  isLocalApp: boolean
  /** Code of the application itself, in this process. */
  isCode?: boolean
  session?: KnownSession & { token: string; tokenKey: string }
  installationId?: string
  /** What only the asking browser or installation holds: a challenge given to it serves no other. */
  binding?: string
  /** The page that asks, as its browser tells. */
  origin?: string
  ipAddress: string
  /** A proxy told the address. */
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
