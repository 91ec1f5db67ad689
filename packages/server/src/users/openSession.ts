import type { SessionRecord } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { createSession } from './createSession.ts'
import { encodeSession } from './encodeSession.ts'
import { needSession } from './needSession.ts'
import { selectSessions } from './selectSessions.ts'

/** A further session of the same user, asked for by name. It replaces none: it carries no installation. */
export async function openSession(context: Context, caller: Caller): Promise<SessionRecord> {
  const { userId, confirmedAt } = needSession(caller)
  // No proof was shown for it: a session left open elsewhere must not make itself a confirmed one.
  const made = await createSession(
    context,
    { ...caller, installationId: undefined },
    userId,
    { action: 'create' },
    undefined,
    new Date(confirmedAt),
  )
  const [row] = await selectSessions(context, { userId, objectId: made.objectId })
  if (!row) throw new Error('the session that was just made is not there')
  return { ...encodeSession(context, caller, row), sessionToken: made.token }
}
