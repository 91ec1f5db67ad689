import type { SessionRecord } from '@countersign/protocol'
import { type BaseRow, decodeRow } from '../classes/decodeRow.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { unseal } from '../context/seal.ts'

export type SessionRow = BaseRow & { _proof?: Buffer | null } & Record<string, unknown>

/** A session as its owner sees it. Nothing of the token but its hash is known, so none is shown. */
export function encodeSession({ classes, keys }: Context, caller: Caller, row: SessionRow): SessionRecord {
  const session = decodeRow(classes.get('_Session'), row) as SessionRecord
  const proof = row._proof ? unseal(keys, 'session proof', row._proof) : undefined
  if (proof !== undefined) session.proof = JSON.parse(proof)
  return caller.session?.objectId === session.objectId ? { ...session, current: true } : session
}
