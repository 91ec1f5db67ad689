import type { Client } from '../Client.ts'
import type { Connection } from '../Connection.ts'
import { createUuid } from '../createUuid.ts'
import { adoptSession } from './adoptSession.ts'
import type { CurrentSession } from './CurrentSession.ts'
import { restoreSession } from './restoreSession.ts'
import { findStoredSession, storeSession } from './storedSession.ts'

/**
 * Goes on with the session that the page was rendered with. The server has just checked it, and is asked again only
 * where this browser remembers something else: another tab may have signed out, or in, since the page was rendered.
 */
export async function resumeSession(client: Client, connection: Connection, { record }: CurrentSession): Promise<void> {
  const stored = findStoredSession(connection)
  if (stored?.user.objectId === record.objectId) {
    const isNewer = String(stored.user.updatedAt) > String(record.updatedAt)
    adoptSession(client, connection, isNewer ? stored : { ...stored, user: record })
    return
  }
  const credential = stored?.credential ?? { id: createUuid() }
  if (!stored) storeSession(connection, { credential, user: record })
  await restoreSession(client, connection, { credential, user: record })
}
