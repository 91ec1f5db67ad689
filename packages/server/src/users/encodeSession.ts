import type { SessionRecord } from '@countersign/protocol'
import { type BaseRow, decodeRow } from '../classes/decodeRow.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'

export type SessionRow = BaseRow & Record<string, unknown>

/** A session as its owner sees it. Nothing of the token but its hash is known, so none is shown. */
export function encodeSession({ classes }: Context, caller: Caller, row: SessionRow): SessionRecord {
  const session = decodeRow(classes.get('_Session'), row) as SessionRecord
  return caller.session?.objectId === session.objectId ? { ...session, current: true } : session
}
