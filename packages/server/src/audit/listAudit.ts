import type { AuditRecord, WireFields } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'

type Row = {
  id: string
  at: Date
  actor: string
  action: string
  subject: string
  details: WireFields
  address: string | null
  position: string | null
  hash: Buffer | null
}

export type AuditQuery = {
  /** ID of the last entry of the previous page. */
  before?: string | undefined
  limit?: number | undefined
  actor?: string | undefined
  action?: string | undefined
  subject?: string | undefined
}

/** The newest entries first, page by page. */
export async function listAudit(
  { db }: Pick<Context, 'db'>,
  { before, limit = 50, actor, action, subject }: AuditQuery,
): Promise<{ results: AuditRecord[] }> {
  const rows = await db.query<Row>(sql`
    select id::text, at, actor, action, subject, details, address, position::text, hash from countersign.audit a
    where (${before ?? null}::bigint is null or a.id < ${before ?? null}::bigint)
      and (${actor ?? null}::text is null or actor = ${actor ?? null})
      and (${action ?? null}::text is null or action = ${action ?? null})
      and (${subject ?? null}::text is null or subject = ${subject ?? null})
    order by a.id desc
    limit ${limit}`)
  return { results: rows.map(encode) }
}

function encode({ id, at, actor, action, subject, details, address, position, hash }: Row): AuditRecord {
  return {
    id,
    at: at.toISOString(),
    actor,
    action,
    subject,
    details,
    ...(address !== null && { address }),
    ...(position !== null && { position: Number(position) }),
    ...(hash !== null && { hash: hash.toString('hex') }),
  }
}

export const listAuditEndpoint = defineEndpoint('listAudit', {
  handle: ({ context, input: { limit, ...query } }) =>
    listAudit(context, { ...query, ...(limit !== undefined && { limit: Number(limit) }) }),
})
