import type { SyncStorage } from './SyncStorage.ts'

/** How the session travels: in the server's HttpOnly cookie, or as a token in storage and a header. */
export type Transport = 'cookie' | 'storage'

/** What initialization settles for all later requests. */
export type Connection = {
  readonly appId: string
  readonly serverUrl: string
  readonly javascriptKey?: string
  readonly transport: Transport
  readonly storage: SyncStorage
  readonly installationId: string
}
