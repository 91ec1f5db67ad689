import { refuse } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { hashToken, newToken } from '../context/newToken.ts'
import { needSession } from './needSession.ts'

/**
 * Writes down that the session's user has shown a proof just now. The session gets a new token with it, so
 * that whoever planted or read the old one does not share in what the proof opens (session fixation).
 */
export async function confirmSession(context: Context, caller: Caller): Promise<{ token: string; confirmedAt: Date }> {
  const { objectId, tokenKey } = needSession(caller)
  const token = `r:${newToken()}`
  const confirmedAt = context.clock.now()
  const kept = await context.db.query({
    text: `update "_Session" set "_previous_hash" = "_token_hash", "_rotated" = $3, "_token_hash" = $2, "_confirmed" = $3, "updatedAt" = $3
           where "objectId" = $1 returning 1`,
    values: [objectId, hashToken(token), confirmedAt],
  })
  if (kept.length === 0) throw refuse('invalidSessionToken')
  context.db.afterCommit(() => context.sessionCache.forgetSession(tokenKey))
  return { token, confirmedAt }
}
