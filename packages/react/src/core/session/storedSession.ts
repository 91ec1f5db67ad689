import type { Connection } from '../Connection.ts'
import { storedKey } from '../storedKey.ts'
import { readRecord, type UserFields } from '../wire/readRecord.ts'
import type { Credential } from './CurrentSession.ts'

export type StoredSession = { readonly user: UserFields; readonly credential: Credential }

export function sessionKey(appId: string): string {
  return storedKey(appId, 'session')
}

/** The session that this browser kept, also by another tab. What cannot be one is taken as none. */
export function findStoredSession({ appId, storage, transport }: Connection): StoredSession | undefined {
  const kept = parse(storage.getItem(sessionKey(appId)))
  const user = readRecord(kept?.user)
  if (!kept || !user) return undefined
  const id = typeof kept.id === 'string' ? kept.id : ''
  if (transport === 'cookie') return { user, credential: { id } }
  return typeof kept.token === 'string' ? { user, credential: { id, token: kept.token } } : undefined
}

export function storeSession({ appId, storage }: Connection, { user, credential }: StoredSession): void {
  storage.setItem(sessionKey(appId), JSON.stringify({ user, ...credential }))
}

/** Changes what is kept of the session with that credential; never puts back what another tab replaced or removed. */
export function replaceStoredSession(connection: Connection, credential: Credential, next: StoredSession): void {
  if (findStoredSession(connection)?.credential.id === credential.id) storeSession(connection, next)
}

/** Forgets the session with that credential; one that another tab opened since stays. */
export function removeStoredSession(connection: Connection, credential: Credential): void {
  const stored = findStoredSession(connection)
  if (stored && stored.credential.id !== credential.id) return
  connection.storage.removeItem(sessionKey(connection.appId))
}

function parse(text: string | null): { user?: unknown; token?: unknown; id?: unknown } | undefined {
  if (text === null) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
