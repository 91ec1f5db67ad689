import type { SessionRecord } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { createSession } from './createSession.ts'
import { encodeSession } from './encodeSession.ts'
import { needSession } from './needSession.ts'
import { selectSessions } from './selectSessions.ts'
import { makeSensitiveChange } from './sensitiveChanges.ts'

/**
 * A further session of the same user, asked for by name. It replaces none: it carries no installation. No proof was
 * shown for it, so it counts as confirmed when the one that asks was, and ends when that one does at the latest.
 */
export async function openSession(context: Context, caller: Caller): Promise<SessionRecord> {
  const { userId, confirmedAt, expiresAt } = needSession(caller)
  return makeSensitiveChange(context, caller, 'createSession', userId, async () => {
    const made = await createSession(
      context,
      { ...caller, installationId: undefined },
      userId,
      { action: 'create' },
      { confirmed: new Date(confirmedAt), expires: new Date(expiresAt) },
    )
    const [row] = await selectSessions(context, { userId, objectId: made.objectId })
    if (!row) throw new Error('the session that was just made is not there')
    return { ...encodeSession(context, caller, row), sessionToken: made.token }
  })
}
