import { randomUUID } from 'node:crypto'
import { refuse } from '@countersign/protocol'
import type { HeldSession, HeldToken } from '../../caches/createSessionCache.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'

/**
 * Gives the caller what a session or token opens: the one place where a token becomes a caller. With a token, `token`
 * narrows everything that the caller does; a token of a person is its `session`, too, a key of an operator has the rights
 * of the master key within its scope, and a service account has no user.
 */
export function holdCredential(
  context: Context,
  caller: Caller,
  held: HeldSession,
  audience = apiAudience(context),
): void {
  const { grant } = held
  if (!grant) {
    caller.session = held
    return
  }
  if (grant.isAllowedFrom && !caller.isCode && !grant.isAllowedFrom(caller.ipAddress)) {
    throw refuse('addressNotAllowed', { address: caller.ipAddress })
  }
  // A token for another resource is worth nothing here. Application code was called with it at the right one.
  if (grant.audience !== undefined && grant.audience !== audience && !caller.isCode) throw refuse('invalidSessionToken')
  // Deny by default: wherever no proof is read, a token that is bound to a key opens nothing.
  if (grant.jkt !== undefined && grant.jkt !== caller.proofKey && !caller.isCode) throw refuse('invalidSessionToken')
  const token = held as HeldToken
  caller.token = token
  if (grant.kind === 'operator') caller.isMaster = true
  else if (grant.kind !== 'service') caller.session = held
  noteUse(context, token, caller)
}

/** Audience of OAuth tokens for our API. */
export const apiAudience = ({ publicUrl, config }: Pick<Context, 'publicUrl' | 'config'>): string =>
  `${publicUrl}${config.mount}`

/** Audience of OAuth tokens for agents. */
export const agentAudience = ({ publicUrl }: Pick<Context, 'publicUrl'>): string => `${publicUrl}/mcp`

/** The key by which rate limits count a token, from wherever it is used. */
export function rateKeyOf({ grant }: HeldToken): string {
  return `token ${grant.id}`
}

/** How often the time of last use is written, at most. */
const touchInterval = 5 * 60_000

/** A use from one address is in the person's activity once in this time. */
const activityInterval = '1 hour'

/** Notes a use: the time on the token and, for a person, an entry of the activity with the token's name. */
function noteUse({ db, clock, background }: Context, token: HeldToken, caller: Caller): void {
  const now = clock.ms()
  if (now - token.lastUsedAt <= touchInterval) return
  token.lastUsedAt = now
  const { id, kind, name } = token.grant
  const { userId } = token
  const { ipAddress, userAgent } = caller
  const at = new Date(now)
  background.run('note use of a token', async () => {
    await db.query(sql`
      update countersign.access_tokens set last_used = ${at}, last_address = ${ipAddress} where id = ${id}`)
    if (kind !== 'personal' && kind !== 'oauth') return
    await db.query(sql`
      insert into countersign.activity (id, "user", action, details, "ipAddress", "userAgent", at)
      select ${randomUUID()}, ${userId}, 'useAccessToken', ${{ token: id, name }}, ${ipAddress},
        ${userAgent?.slice(0, 512) ?? null}, ${at}
      where not exists (
        select from countersign.activity
        where "user" = ${userId} and action = 'useAccessToken' and details ->> 'token' = ${id}
          and "ipAddress" is not distinct from ${ipAddress} and at > ${at}::timestamptz - ${activityInterval}::interval
      ) and exists (select from countersign.access_tokens where id = ${id})`)
  })
}
