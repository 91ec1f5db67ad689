import { refuse } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { forgetSessions } from './createSession.ts'
import { needSession } from './needSession.ts'

/** Ends one session of the caller's own; with the master key, anyone's. */
export async function revokeSession(context: Context, caller: Caller, objectId: string): Promise<Record<never, never>> {
  const userId = caller.isMaster ? null : needSession(caller).userId
  const ended = await context.db.query<{ _token_hash: Buffer }>({
    text: 'delete from "_Session" where "objectId" = $1 and ($2::text is null or "user" = $2) returning "_token_hash"',
    values: [objectId, userId],
  })
  // The same answer for a session of somebody else and for none: ids cannot be probed.
  if (ended.length === 0) throw refuse('invalidSessionToken')
  forgetSessions(context, ended)
  return {}
}
