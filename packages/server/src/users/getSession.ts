import { refuse, type SessionRecord } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { encodeSession } from './encodeSession.ts'
import { needSession } from './needSession.ts'
import { selectSessions } from './selectSessions.ts'

/** One session, if it is the caller's own. */
export async function getSession(context: Context, caller: Caller, objectId: string): Promise<SessionRecord> {
  const userId = caller.isMaster ? null : needSession(caller).userId
  const [row] = await selectSessions(context, { userId, objectId })
  if (!row) throw refuse('objectNotFound')
  return encodeSession(context, caller, row)
}
