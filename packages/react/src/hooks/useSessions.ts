import { getSessionsQuery } from '../core/queries/getSessionsQuery.ts'
import type { Session } from '../core/Session.ts'
import { type UseQuery, useQuery } from './useQuery.ts'

/**
 * The places where the user is signed in. They are read again after one of them is revoked.
 *
 * @example
 * const sessions = useSessions()
 * if (sessions.status === 'success') return sessions.data.map((session) => <p key={session.objectId}>{session.userAgent}</p>)
 */
export function useSessions(): UseQuery<readonly Session[]> {
  return useQuery(getSessionsQuery)
}
