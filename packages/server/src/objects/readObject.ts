import type { WireChanges, WireFields, WireValue } from '@countersign/protocol'
import { encodeAcl, readAcl, type StoredAcl } from '../classes/acl.ts'
import type { Change } from '../classes/Change.ts'
import { readChanges } from '../classes/readChanges.ts'

/** What a client wants written: fields, and what every object has besides them. */
export type ObjectInput = { objectId: WireValue | undefined; acl: StoredAcl | undefined; changes: Change[] }

/** Sorts what was sent. Times are the server's to tell; the older clients send them back as they got them. */
export function readObject(input: WireChanges | WireFields): ObjectInput {
  const { objectId, createdAt: _created, updatedAt: _updated, ACL, ...fields } = input as WireFields
  const changes = readChanges(fields)
  const list = readAcl(ACL)
  return { objectId, acl: list === undefined ? undefined : encodeAcl(list), changes }
}
