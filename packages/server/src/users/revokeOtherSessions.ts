import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { forgetSessions } from './createSession.ts'
import { lockUsers } from './lockUsers.ts'
import { needSession } from './needSession.ts'

/** Ends every session of the caller but this one. */
export async function revokeOtherSessions(context: Context, caller: Caller): Promise<{ revoked: number }> {
  const session = needSession(caller)
  return { revoked: await endSessions(context, session.userId, session.objectId) }
}

/** Ends the sessions of a user, all but the one to keep, and what was begun in them: challenges, half-made passkeys. */
export async function endSessions(context: Context, userId: string, keep: string | null): Promise<number> {
  return context.db.transaction(async () => {
    // Waits for sensitive changes that are under way, so that a session which one of them makes is found and ended too.
    await lockUsers(context, [userId])
    await context.db.query({ text: 'delete from countersign.challenges where "user" = $1', values: [userId] })
    const ended = await context.db.query<{ _token_hash: Buffer }>({
      text: 'delete from "_Session" where "user" = $1 and "objectId" is distinct from $2 returning "_token_hash"',
      values: [userId, keep],
    })
    forgetSessions(context, ended)
    return ended.length
  })
}
