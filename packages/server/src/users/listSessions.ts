import type { SessionRecord } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { encodeSession } from './encodeSession.ts'
import { needSession } from './needSession.ts'
import { selectSessions } from './selectSessions.ts'

/** The caller's own sessions; with the master key, everyone's. */
export async function listSessions(context: Context, caller: Caller): Promise<{ results: SessionRecord[] }> {
  const userId = caller.isMaster ? null : needSession(caller).userId
  const rows = await selectSessions(context, { userId, objectId: null })
  return { results: rows.map((row) => encodeSession(context, caller, row)) }
}
