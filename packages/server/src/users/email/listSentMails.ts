import type { EndpointTypes } from '@countersign/protocol'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { requireSession } from '../sessions/sessions.ts'
import { isHeld } from './emailChanges.ts'

type Sent = EndpointTypes['listSentMails']['output']['results'][number]

const most = 100

export const listSentMailsEndpoint = defineEndpoint('listSentMails', {
  async handle({ context: { db, clock, config }, caller }) {
    const { userId } = requireSession(caller)
    const kept = new Date(clock.ms() - config.mailLogDays * 86_400_000)
    // An address proves nothing until it is verified, and its earlier mails may be those of another account.
    const rows = await db.query<{ id: number; kind: Sent['kind']; at: Date }>(sql`
      select id, kind, at from countersign.mail_log
      join "_User" u on u."objectId" = ${userId} and lower(u.email) = lower(recipient) and ${isHeld}
      where error is null and at >= coalesce(u."_email_added", u."createdAt") and at >= ${kept}
      order by id desc
      limit ${most}`)
    return { results: rows.map(({ id, kind, at }) => ({ objectId: String(id), kind, at: at.toISOString() })) }
  },
})
