import { type EndpointTypes, type MailKind, refuse } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'

type Row = { id: number; recipient: string; kind: MailKind; at: Date; ms: number; error: string | null }

/** Results of mails sent by SMTP, newest first. Empty without SMTP: mails are then in the outbox. */
async function listMailLog(
  { db, clock, mail, config }: Context,
  { search = '', outcome = 'all', after, limit = '50' }: EndpointTypes['listMailLog']['input'],
): Promise<EndpointTypes['listMailLog']['output']> {
  if (mail.listOutbox) return { isSending: false, days: 0, results: [] }
  const days = config.mailLogDays
  const conditions = [sql`at >= ${new Date(clock.ms() - days * 86_400_000)}`]
  const wanted = search.trim().toLowerCase()
  if (wanted !== '') conditions.push(sql`strpos(lower(recipient), ${wanted}) > 0`)
  if (outcome !== 'all') conditions.push(outcome === 'failed' ? sql`error is not null` : sql`error is null`)
  if (after !== undefined) {
    if (!/^\d{1,15}$/.test(after))
      throw refuse('invalidInput', { field: 'after', problem: 'is not a cursor of this list' })
    conditions.push(sql`id < ${Number(after)}::bigint`)
  }
  const most = Number(limit)
  const rows = await db.query<Row>(sql`
    select id, recipient, kind, at, ms, error from countersign.mail_log
    where ${sql.join(conditions, ' and ')}
    order by id desc
    limit ${most + 1}`)
  const page = rows.slice(0, most)
  const last = page.at(-1)
  return {
    isSending: true,
    days,
    results: page.map(({ id, recipient, kind, at, ms, error }) => ({
      objectId: String(id),
      to: recipient,
      kind,
      sentAt: at.toISOString(),
      milliseconds: ms,
      ...(error !== null && { error }),
    })),
    ...(rows.length > most && last && { next: String(last.id) }),
  }
}

export const listMailLogEndpoint = defineEndpoint('listMailLog', {
  handle: ({ context, input }) => listMailLog(context, input),
})
