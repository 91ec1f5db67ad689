import { listSessions } from '../core/actions/listSessions.ts'
import { getAccountReading } from '../core/readings/getAccountReading.ts'
import type { Session } from '../core/Session.ts'
import { type UseReading, useReading } from './useReading.ts'

/**
 * The places where the user is signed in. They are read again after one of them is revoked.
 *
 * @example
 * const sessions = useSessions()
 * if (sessions.status === 'success') return sessions.data.map((session) => <p key={session.objectId}>{session.userAgent}</p>)
 */
export function useSessions(): UseReading<readonly Session[]> {
  return useReading((client) => getAccountReading(client, 'listSessions', listSessions))
}
