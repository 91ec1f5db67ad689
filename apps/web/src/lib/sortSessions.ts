import type { Session } from '@countersign/react'

/** This device first, then by when each was last seen. */
export function sortSessions(sessions: readonly Session[]): Session[] {
  const seen = (session: Session) => (session.lastUsedAt ?? session.createdAt).getTime()
  return [...sessions].sort((one, other) => Number(other.current) - Number(one.current) || seen(other) - seen(one))
}
