import type { Client } from '../Client.ts'
import { moveSession } from './moveSession.ts'
import { restoreSession } from './restoreSession.ts'
import { showUser } from './showUser.ts'
import { findStoredSession } from './storedSession.ts'

/**
 * Brings this tab to what storage says now, which may be later than the event that called for it. Any number of events
 * that arrive while one look is waiting for its turn share that look, and looking never writes: tabs cannot echo.
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
    // Until the server has said who this is, the former user is not shown beside another's session.
    if (current?.record.objectId !== stored.user.objectId) moveSession(client, { type: 'sessionReplaced' })
    await restoreSession(client, connection, stored)
    return
  }
  if (String(stored.user.updatedAt) <= String(current.record.updatedAt)) return
  client.internal.current = showUser(current, { ...current, record: stored.user })
  moveSession(client, { type: 'userChanged', user: client.internal.current.user })
}
