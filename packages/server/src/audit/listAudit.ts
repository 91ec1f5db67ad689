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
  /** ID or username of the author. */
  person?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

/** The newest entries first, page by page. */
export async function listAudit({ db }: Pick<Context, 'db'>, query: AuditQuery): Promise<{ results: AuditRecord[] }> {
  const { before, limit = 50, actor, action, subject, person, since, until } = query
  const conditions = [sql`true`]
  if (before !== undefined) conditions.push(sql`a.id < ${before}::bigint`)
  if (actor !== undefined) conditions.push(sql`actor = ${actor}`)
  if (action !== undefined) conditions.push(sql`action = ${action}`)
  if (subject !== undefined) conditions.push(sql`subject = ${subject}`)
  if (since !== undefined) conditions.push(sql`at >= ${new Date(since)}`)
  if (until !== undefined) conditions.push(sql`at < ${new Date(until)}`)
  if (person !== undefined)
    conditions.push(sql`actor in (
      select kind || u."objectId" from "_User" u, unnest(array['user:', 'operator:']) as kind
      where u."objectId" = ${person} or u.username = ${person})`)
  const rows = await db.query<Row>(sql`
    select id::text, at, actor, action, subject, details, address, position::text, hash from countersign.audit a
    where ${sql.join(conditions, ' and ')}
    order by a.id desc
    limit ${limit}`)
  return { results: rows.map(encode) }
}

/** Names of the users and roles that entries mention. One that is gone has none. */
async function findNames(
  { db }: Pick<Context, 'db'>,
  entries: readonly AuditRecord[],
): Promise<Record<string, string>> {
  const ids = entries.flatMap(({ actor, subject, details }) => [
    actor.slice(actor.indexOf(':') + 1),
    ...subject.split('/'),
    ...(typeof details.related === 'string' ? [details.related] : []),
  ])
  const rows = await db.query<{ id: string; name: string }>(sql`
    select "objectId" as id, username as name from "_User" where "objectId" = any(${ids})
    union all
    select "objectId", name from "_Role" where "objectId" = any(${ids})`)
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]))
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
  async handle({ context, input: { limit, ...query } }) {
    const { results } = await listAudit(context, { ...query, ...(limit !== undefined && { limit: Number(limit) }) })
    return { results, names: await findNames(context, results) }
  },
})
