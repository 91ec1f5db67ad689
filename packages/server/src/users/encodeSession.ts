import type { SessionRecord } from '@countersign/protocol'
import { type BaseRow, decodeRow } from '../classes/decodeRow.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { fillFileUrls } from '../context/fillFileUrls.ts'
import { unseal } from '../context/seal.ts'

export type SessionRow = BaseRow & { _proof?: Buffer | null } & Record<string, unknown>

/** A session as its owner sees it. Nothing of the token but its hash is known, so none is shown. */
export function encodeSession(context: Context, caller: Caller, row: SessionRow): SessionRecord {
  const schema = context.classes.get('_Session')
  const session = fillFileUrls(context, schema, decodeRow(schema, row)) as SessionRecord
  const proof = row._proof ? unseal(context.keys, 'session proof', row._proof) : undefined
  if (proof !== undefined) session.proof = JSON.parse(proof)
  return caller.session?.objectId === session.objectId ? { ...session, current: true } : session
}
