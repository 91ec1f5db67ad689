import type { AccessTokenRecord, TokenKind } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { type Fragment, sql } from '../../db/sql.ts'

type Row = {
  id: string
  name: string
  kind: TokenKind
  scopes: string[]
  hint: string
  addresses: string[]
  created: Date
  expires: Date | null
  last_used: Date | null
  last_address: string | null
  service: string | null
  client: string | null
  made_by: string | null
  replaced_by: string | null
}

/** Tokens that match a condition on `t`, newest first, without those that expired. */
export async function listTokens({ db, clock }: Context, condition: Fragment): Promise<AccessTokenRecord[]> {
  const rows = await db.query<Row>(sql`
    select t.id, t.name, t.kind, t.scopes, t.hint, t.addresses, t.created, t.expires, t.last_used, t.last_address,
      v.name as service, t.client, coalesce(u.username, t.made_by) as made_by,
      (select n.id from countersign.access_tokens n where n.replaces = t.id limit 1) as replaced_by
    from countersign.access_tokens t
    left join countersign.services v on v.id = t.service
    left join "_User" u on u."objectId" = t.made_by
    where ${condition} and (t.expires is null or t.expires > ${clock.now()})
    order by t.created desc, t.id
    limit 1000`)
  return rows.map(encode)
}

function encode(row: Row): AccessTokenRecord {
  const { created, expires, last_used, last_address, service, client, made_by, replaced_by, id, ...rest } = row
  return {
    objectId: id,
    ...rest,
    createdAt: created.toISOString(),
    ...(expires !== null && { expiresAt: expires.toISOString() }),
    ...(last_used !== null && { lastUsedAt: last_used.toISOString() }),
    ...(last_address !== null && { lastAddress: last_address }),
    ...(service !== null && { service }),
    ...(client !== null && { client }),
    ...(made_by !== null && { madeBy: made_by }),
    ...(replaced_by !== null && { replacedBy: replaced_by }),
  }
}
