import type { CreatedWith } from '@countersign/protocol'
import { newObjectId } from '../classes/newObjectId.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { hashToken, newToken } from '../context/newToken.ts'

export type NewSession = { objectId: string; token: string; expiresAt: Date }

/** What a new session is made of: also used by sign-up, which makes it in the statement that makes the user. */
export function draftSession({ config, clock }: Context, caller: Caller): NewSession & { hash: Buffer; now: Date } {
  const now = clock.now()
  const token = `r:${newToken()}`
  const expiresAt = new Date(now.getTime() + config.sessionLength * 1000)
  return { objectId: newObjectId(), token, hash: hashToken(token), now, expiresAt }
}

/** Columns and values of a session row, in step with each other. */
export function sessionValues(draft: ReturnType<typeof draftSession>, createdWith: CreatedWith, caller: Caller): unknown[] {
  const { userAgent, ipAddress, installationId } = caller
  return [draft.objectId, draft.now, draft.hash, draft.expiresAt, createdWith, installationId ?? null, userAgent?.slice(0, 512) ?? null, ipAddress]
}

/** Opens a session. One installation has one session of a user: the earlier ones end. */
export async function createSession(
  context: Context,
  caller: Caller,
  userId: string,
  createdWith: CreatedWith,
): Promise<NewSession> {
  const draft = draftSession(context, caller)
  const replaced = await context.db.query<{ _token_hash: Buffer }>({
    name: 'create-session',
    text: `with replaced as (
             delete from "_Session" where "user" = $9 and "installationId" = $6 returning "_token_hash"
           ), made as (
             insert into "_Session" ("objectId", "createdAt", "updatedAt", "_token_hash", "expiresAt", "createdWith", "installationId", "userAgent", "ipAddress", "lastUsedAt", "user")
             values ($1, $2, $2, $3, $4, $5, $6, $7, $8, $2, $9)
           )
           select "_token_hash" from replaced`,
    values: [...sessionValues(draft, createdWith, caller), userId],
  })
  forgetSessions(context, replaced)
  return draft
}

/** Drops ended sessions from this server's cache at once; the others hear of it from the database. */
export function forgetSessions({ db, sessionCache }: Context, ended: { _token_hash: Buffer }[]): void {
  db.afterCommit(() => {
    for (const row of ended) sessionCache.forgetSession(row._token_hash.toString('base64'))
  })
}
