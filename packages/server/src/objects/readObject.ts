import type { WireChanges, WireFields, WireValue } from '@countersign/protocol'
import { encodeAcl, readAcl, type StoredAcl } from '../classes/acl.ts'
import type { Change } from '../classes/Change.ts'
import { readChanges } from '../classes/readChanges.ts'

/** Input of a write: fields, and the parts of every document. */
export type ObjectInput = { objectId: WireValue | undefined; acl: StoredAcl | undefined; changes: Change[] }

/** Sorts the input. Times are set by the server; older clients send them back. */
export function readObject(input: WireChanges | WireFields): ObjectInput {
  const { objectId, createdAt: _created, updatedAt: _updated, ACL, ...fields } = input as WireFields
  const changes = readChanges(fields)
  const list = readAcl(ACL)
  return { objectId, acl: list === undefined ? undefined : encodeAcl(list), changes }
}
