import { type AccessTokenRecord, CountersignError, refuse, type TokenKind } from '@countersign/protocol'
import { newObjectId } from '../../classes/names.ts'
import { addressRange } from '../../config/Config.ts'
import type { Context } from '../../context/Context.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { hashToken } from '../../keys/secrets.ts'
import { parseScope } from '../../scopes/Scope.ts'
import { newTokenText } from './newTokenText.ts'
import { listTokens } from './tokenRows.ts'

/** Tokens of one person, and keys of the whole installation. */
const most = { personal: 50, oauth: 200, service: 500, operator: 500 } as const

export type TokenDraft = {
  kind: TokenKind
  name: string
  scopes: readonly string[]
  /** Owner of a `personal` or `oauth` token. */
  userId?: string
  /** Id of the account of a `service` key. */
  service?: string
  /** Id of the OAuth client. */
  client?: string
  /** Resource that an OAuth token is for. */
  audience?: string
  addresses?: readonly string[]
  expires?: Date | undefined
  /** Operator who sees the secret. */
  madeBy?: string | undefined
  /** Id of the key that this one replaces. */
  replaces?: string
}

/**
 * Creates a token with a scope and returns its text, which is stored as a hash only. In a transaction of the caller,
 * which has checked who may have it: the proof of a person, the consent to a client, the role of an operator.
 */
export async function issueToken(
  context: Context,
  draft: TokenDraft,
): Promise<{ record: AccessTokenRecord; token: string }> {
  const { db, clock } = context
  const { kind, name, userId = null, service = null, client = null, audience = null, addresses = [] } = draft
  const scope = parseScope(draft.scopes, kind)
  for (const address of addresses) {
    if (addressRange.safeParse(address).success) continue
    throw new CountersignError('InvalidValue', 'addresses must be IP addresses or networks such as 10.0.0.0/8.')
  }
  const own = userId === null ? sql`kind = ${kind}` : sql`kind = ${kind} and "user" = ${userId}`
  await endTokens(context, sql`${own} and expires <= ${clock.now()}`)
  const [{ count } = { count: 0 }] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from countersign.access_tokens where ${own}`,
  )
  if (count >= most[kind]) throw refuse('tooManyTokens', { most: most[kind] })
  const token = newTokenText(kind)
  const id = newObjectId()
  await db.query(sql`
    insert into countersign.access_tokens (id, hash, kind, name, "user", service, client, audience, scopes, addresses,
      hint, made_by, replaces, created, expires)
    values (${id}, ${hashToken(token)}, ${kind}, ${name}, ${userId}, ${service}, ${client}, ${audience},
      ${[...scope.texts]}, ${[...addresses]}, ${token.slice(-4)}, ${draft.madeBy ?? null}, ${draft.replaces ?? null},
      ${clock.now()}, ${draft.expires ?? null})`)
  const [record] = await listTokens(context, sql`t.id = ${id}`)
  if (!record) throw new Error('the new token does not exist')
  return { record, token }
}

/**
 * Revokes the tokens that match a condition on the table. On this server at once, on the others within 100 ms: a trigger
 * notifies them, as for sessions, and their live queries end. Returns the ended ones.
 */
export async function endTokens(
  { db, sessionCache }: Context,
  condition: Fragment,
): Promise<{ id: string; name: string; kind: TokenKind; user: string | null }[]> {
  const ended = await db.query<{ id: string; name: string; kind: TokenKind; user: string | null; hash: Buffer }>(sql`
    delete from countersign.access_tokens where ${condition} returning id, name, kind, "user", hash`)
  db.afterCommit(() => {
    for (const { hash } of ended) sessionCache.forgetSession(hash.toString('base64'))
  })
  return ended.map(({ hash: _secret, ...row }) => row)
}
