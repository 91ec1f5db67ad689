import type { TokenKind, WireFields } from '@countersign/protocol'
import type { Grant, HeldToken, KnownSession } from '../../caches/createSessionCache.ts'
import { columnNames, reviveRow } from '../../classes/decodeRow.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { hashToken } from '../../keys/secrets.ts'
import { createAddressList } from '../../network/clientAddress.ts'
import { parseScope } from '../../scopes/Scope.ts'
import { encodeUser, isLocked, type UserRow } from '../UserRow.ts'
import { isTokenText } from './newTokenText.ts'

type Row = {
  id: string
  kind: TokenKind
  name: string
  scopes: string[]
  addresses: string[]
  client: string | null
  audience: string | null
  jkt: string | null
  service: string | null
  serviceName: string | null
  /** Times in seconds. */
  expires: number | null
  used: number | null
  user: UserRow | null
}

/** The token with its owner: one statement, or none from the cache. `undefined` if it opens nothing. */
export async function findToken(context: Context, token: string): Promise<HeldToken | undefined> {
  if (!isTokenText(token)) return undefined
  const hash = hashToken(token)
  const held = { token, tokenKey: hash.toString('base64') }
  return (await context.sessionCache.load(held, () => load(context, hash))) as HeldToken | undefined
}

async function load(context: Context, hash: Buffer): Promise<KnownSession | undefined> {
  const { db, classes } = context
  const schema = classes.get('_User')
  const columns = columnNames(schema).map((name) => sql.column('u', name))
  const [found] = await db.query<{ row: Row }>(sql.named(`find-token-${schema.version}`)`
    select row_to_json(_row) as row from (
      select t.id, t.kind, t.name, t.scopes, t.addresses, t.client, t.audience, t.jkt, t.service, v.name as "serviceName",
        date_part('epoch', t.expires) as expires, date_part('epoch', t.last_used) as used,
        (select row_to_json(_user) from (select ${sql.join(columns)}, u."_rperm", u."_wperm") _user
          where u."objectId" is not null) as user
      from countersign.access_tokens t
      left join "_User" u on u."objectId" = t."user"
      left join countersign.services v on v.id = t.service
      where t.hash = ${hash}
    ) _row`)
  if (!found) return undefined
  const { row } = found
  const user = row.user && (reviveRow(schema, row.user) as UserRow)
  if (user && isLocked(user)) return undefined
  return {
    objectId: row.id,
    userId: user?.objectId ?? '',
    expiresAt: row.expires === null ? Number.POSITIVE_INFINITY : row.expires * 1000,
    lastUsedAt: (row.used ?? 0) * 1000,
    // Never confirmed: sensitive changes refuse a token.
    confirmedAt: 0,
    isAnonymous: false,
    user: user ? encodeUser(context, user) : ({} as WireFields),
    grant: readGrant(context, row),
  }
}

function readGrant({ config }: Context, row: Row): Grant {
  const { id, kind, name, service, serviceName, client, audience, jkt } = row
  // A key of operators without addresses of its own is held to those of the master key.
  const addresses = kind === 'operator' && row.addresses.length === 0 ? config.masterKeyIps : row.addresses
  return {
    id,
    kind,
    name,
    scope: parseScope(row.scopes, kind),
    ...(service !== null && serviceName !== null && { service: { id: service, name: serviceName } }),
    ...(client !== null && { client }),
    ...(audience !== null && { audience }),
    ...(jkt !== null && { jkt }),
    ...((kind === 'operator' || addresses.length > 0) && { isAllowedFrom: createAddressList(addresses) }),
  }
}
