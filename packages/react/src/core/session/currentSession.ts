import { errorCodes, type WireFields, type WireValue } from '@countersign/protocol'
import type { Client, Connection, Credential, CurrentSession } from '../client/Client.ts'
import { isTransient, toCountersignError } from '../errors/errors.ts'
import { sendRequest } from '../http/sendRequest.ts'
import { createUuid, findLocks, lockName } from '../platform/platform.ts'
import { readRecord, toSnapshot, type UserFields } from '../values/decode.ts'
import { isEqual } from '../values/isEqual.ts'
import type { User } from '../values/User.ts'
import { moveSession } from './transition.ts'

/** A new name for a session that the server just opened; none if it opened none. In cookie mode no token is kept. */
export function createCredential({ transport }: Connection, token: string | undefined): Credential | undefined {
  const id = createUuid()
  if (transport === 'cookie') return { id }
  return token === undefined ? undefined : { id, token }
}

/** Puts the edits on top of the record. The snapshot keeps its identity where nothing in it changed. */
export function showUser(
  previous: CurrentSession | undefined,
  next: { credential: Credential; record: UserFields; edits: readonly WireFields[] },
): CurrentSession {
  const shown: WireFields = Object.fromEntries([next.record, ...next.edits].flatMap((part) => Object.entries(part)))
  if (previous && isEqual(previous.shown, shown)) return { ...next, shown: previous.shown, user: previous.user }
  return { ...next, shown, user: toSnapshot<User>(shown) }
}

/** Changes parts of the current session and shows the outcome; storage changes when the server's part did. */
export function updateCurrent(
  client: Client,
  changes: Partial<Pick<CurrentSession, 'credential' | 'record' | 'edits'>>,
): void {
  const { current, connection } = client.internal
  if (!current || !connection) return
  const { credential, record, edits } = { ...current, ...changes }
  const next = showUser(current, { credential, record, edits })
  client.internal.current = next
  if (changes.record || changes.credential) {
    replaceStoredSession(connection, current.credential, { credential, user: record })
  }
  moveSession(client, { type: 'userChanged', user: next.user })
}

export function selectFields(fields: WireFields, keep: (name: string, value: WireValue) => boolean): WireFields {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => keep(name, value)))
}

export type StoredSession = { readonly user: UserFields; readonly credential: Credential }

export function sessionKey(appId: string): string {
  return storedKey(appId, 'session')
}

/** Stored session of this browser, also by another tab. Invalid data counts as none. */
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

/** Changes the stored session with that credential; never restores one that another tab replaced or removed. */
function replaceStoredSession(connection: Connection, credential: Credential, next: StoredSession): void {
  if (findStoredSession(connection)?.credential.id === credential.id) storeSession(connection, next)
}

/** Removes the stored session with that credential; a later one of another tab stays. */
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

/** Makes a session that is in storage already the current one, with the user as the server has it now. */
export function adoptSession(
  client: Client,
  connection: Connection,
  { credential, user: record }: StoredSession,
): User {
  const current = showUser(client.internal.current ?? client.internal.rendered, { credential, record, edits: [] })
  client.internal.current = current
  replaceStoredSession(connection, credential, { credential, user: record })
  moveSession(client, { type: 'signedIn', user: current.user })
  return current.user
}

/** The session is over on the server: forgets it here and in the other tabs. */
export function closeSession(client: Client, connection: Connection, { credential }: CurrentSession): void {
  client.internal.current = undefined
  removeStoredSession(connection, credential)
  moveSession(client, { type: 'signedOut' })
}

/**
 * The server no longer has this session (209). A response that belongs to an older session ends nothing. Requests that
 * may replace the token finish first, here and in other tabs (`renewing`): the 209 may be about the former token.
 */
export function endSession(client: Client, credential: Credential): void {
  const { internal } = client
  const drop = () => {
    const { connection, current } = internal
    if (!connection || current?.credential.id !== credential.id) return
    const { id } = findStoredSession(connection)?.credential ?? credential
    // Another tab has opened a new session already; its event is still on the way.
    if (id !== credential.id) return void followStorage(client)
    internal.current = undefined
    removeStoredSession(connection, credential)
    moveSession(client, { type: 'sessionEnded' })
  }
  const end = () => findLocks()?.request(lockName, drop) ?? drop()
  void (internal.renewal?.then(end) ?? end())
}

/**
 * Updates this tab from storage, which may be newer than the event. Events that arrive while one update is queued share
 * it, and it never writes: tabs cannot echo.
 */
export function followStorage(client: Client): Promise<void> {
  const { internal } = client
  if (internal.following) return internal.following
  let started = false
  const following = internal.queue.run(async () => {
    started = true
    internal.following = undefined
    await follow(client).catch(() => undefined)
  })
  if (!started) internal.following = following
  return following
}

async function follow(client: Client): Promise<void> {
  const { connection, current } = client.internal
  if (!connection) return
  const stored = findStoredSession(connection)
  if (!stored) {
    client.internal.current = undefined
    moveSession(client, { type: 'sessionEnded' })
    return
  }
  if (current?.credential.id !== stored.credential.id) {
    // Until the server has confirmed the user, the former one is not shown beside another's session.
    if (current?.record.objectId !== stored.user.objectId) moveSession(client, { type: 'sessionReplaced' })
    await restoreSession(client, connection, stored)
    return
  }
  if (String(stored.user.updatedAt) <= String(current.record.updatedAt)) return
  client.internal.current = showUser(current, { ...current, record: stored.user })
  moveSession(client, { type: 'userChanged', user: client.internal.current.user })
}

/**
 * Shows the stored user while the server is asked: reads start in parallel, and are dropped if the session is
 * another's.
 */
export function verifySession(client: Client, connection: Connection, stored: StoredSession): Promise<void> {
  const { credential, user: record } = stored
  const current = showUser(client.internal.rendered, { credential, record, edits: [] })
  client.internal.current = current
  moveSession(client, { type: 'verifying', user: current.user })
  return restoreSession(client, connection, stored)
}

/** Asks the server for a session if nothing can be stored: the cookie may have one unknown to this page. */
export async function findCookieSession(client: Client, connection: Connection): Promise<void> {
  const credential = { id: createUuid() }
  const answer = sendRequest(client.internal.options, connection, 'getCurrentUser', {}, { credential })
  const user = readRecord(await answer.catch(() => undefined))
  if (!user) return moveSession(client, { type: 'signedOut' })
  storeSession(connection, { credential, user })
  adoptSession(client, connection, { credential, user })
}

/** Asks the server for the user of the stored session. Being offline is not being signed out: the stored user stays. */
export async function restoreSession(client: Client, connection: Connection, stored: StoredSession): Promise<void> {
  const { credential } = stored
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), 10_000)
  try {
    const answer = await sendRequest(
      client.internal.options,
      connection,
      'getCurrentUser',
      {},
      { credential, signal: limit.signal },
    )
    adoptSession(client, connection, { credential, user: readRecord(answer) ?? stored.user })
  } catch (cause) {
    const error = toCountersignError(cause)
    if (error.code === errorCodes.InvalidSessionToken) {
      client.internal.current = undefined
      removeStoredSession(connection, credential)
      moveSession(client, { type: 'signedOut' })
      return
    }
    if (!limit.signal.aborted && !isTransient(error)) {
      client.internal.current = undefined
      moveSession(client, { type: 'restoreFailed', error })
      throw error
    }
    adoptSession(client, connection, stored)
  } finally {
    clearTimeout(timer)
  }
}

/** The name under which something of an application is stored. */
export function storedKey(appId: string, name: (typeof names)[number]): string {
  return `Countersign/${appId}/${name}`
}

const names = ['session', 'installationId', 'signInMethod'] as const

export function storedKeys(appId: string): readonly string[] {
  return names.map((name) => storedKey(appId, name))
}
