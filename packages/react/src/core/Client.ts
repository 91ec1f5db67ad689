import type { EndpointName } from '@countersign/protocol'
import type { Connection } from './Connection.ts'
import type { Queue } from './createQueue.ts'
import type { InitializationState } from './InitializationState.ts'
import type { SessionState } from './SessionState.ts'
import type { Store, WritableStore } from './Store.ts'
import type { SyncStorage } from './SyncStorage.ts'
import type { CurrentSession } from './session/CurrentSession.ts'
import type { Prompt } from './wallet/Prompt.ts'

export type ClientOptions = {
  appId?: string
  /** The address of the API with its mount, such as `https://example.org/server`. */
  serverUrl?: string
  javascriptKey?: string
  /** `auto` (default): the cookie where page and server share an origin, storage otherwise. */
  session?: 'auto' | 'cookie' | 'storage'
  /** Where the session is kept; `localStorage` by default, memory where there is none. */
  storage?: SyncStorage
  fetch?: typeof globalThis.fetch
  /** Operations without `onError` throw; false by default. */
  throwOnError?: boolean
  /** How often a request is tried on network failures and 5xx answers; 5 by default (R25). */
  attemptLimit?: number
  /** Milliseconds after which one attempt counts as failed; 20,000 by default. */
  attemptTimeout?: number
}

/** A plain object that actions take as their first argument. Make it with `createClient`. */
export type Client = {
  readonly session: Store<SessionState>
  readonly initialization: Store<InitializationState>
  /** What actions work on; not for applications. */
  readonly internal: ClientInternal
}

export type ClientInternal = {
  readonly options: ClientOptions
  readonly session: WritableStore<SessionState>
  readonly initialization: WritableStore<InitializationState>
  /** Operations that change the session, and saves, run one after another. */
  readonly queue: Queue
  /** Readings that hooks share, by the endpoint they read. */
  readonly readings: Map<EndpointName, { readonly invalidate: () => void }>
  connection?: Connection
  current?: CurrentSession
  /** The wallet that is being asked; never two at once. */
  prompt?: Prompt
  initializing?: Promise<void>
  following?: Promise<void>
  watching?: boolean
}
