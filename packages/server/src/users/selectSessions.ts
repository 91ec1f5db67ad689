import { columnNames } from '../classes/decodeRow.ts'
import type { Context } from '../context/Context.ts'
import type { SessionRow } from './encodeSession.ts'

/** Live sessions: of one user, or with one id, or both. A part that is `null` does not narrow. */
export function selectSessions(
  { db, classes, clock }: Context,
  { userId, objectId }: { userId: string | null; objectId: string | null },
): Promise<SessionRow[]> {
  const columns = [...columnNames(classes.get('_Session')), '_proof'].map((name) => `"${name}"`)
  return db.query<SessionRow>({
    text: `select ${columns.join(', ')} from "_Session"
           where ($1::text is null or "user" = $1) and ($2::text is null or "objectId" = $2) and "expiresAt" > $3
           order by "lastUsedAt" desc nulls last, "createdAt" desc limit 1000`,
    values: [userId, objectId, clock.now()],
  })
}
