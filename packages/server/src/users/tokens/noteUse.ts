import { randomUUID } from 'node:crypto'
import type { HeldToken } from '../../caches/createSessionCache.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'

/** How often the time of last use is written, at most. */
const touchInterval = 5 * 60_000

/** A use from one address is in the person's activity once in this time. */
const activityInterval = '1 hour'

/** Notes a use: the time on the token and, for a person, an entry of the activity with the token's name. */
export function noteUse({ db, clock, background }: Context, token: HeldToken, caller: Caller): void {
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
