import { CountersignError, type WireChanges, type WireFields, type WireValue } from '@countersign/protocol'
import { encodeAcl, type StoredAcl } from '../classes/acl.ts'
import type { Change } from '../classes/Change.ts'
import { readChanges } from '../classes/readChanges.ts'

/** What a client wants written: fields, and what every object has besides them. */
export type ObjectInput = { objectId: WireValue | undefined; acl: StoredAcl | undefined; changes: Change[] }

/** Sorts what was sent. Times are the server's to tell; the older clients send them back as they got them. */
export function readObject(input: WireChanges | WireFields): ObjectInput {
  const { objectId, createdAt: _created, updatedAt: _updated, ACL, ...fields } = input as WireFields
  const changes = readChanges(fields)
  for (const change of changes) {
    // JSON has numbers that are larger than any that can be counted with.
    if (change.kind === 'set' && typeof change.value === 'number' && !Number.isFinite(change.value)) {
      throw new CountersignError('InvalidJson', `${change.field} is a number out of range.`)
    }
  }
  return { objectId, acl: ACL === undefined ? undefined : encodeAcl(isDelete(ACL) ? null : ACL), changes }
}

function isDelete(value: WireValue): boolean {
  return value !== null && typeof value === 'object' && Reflect.get(value, '__op') === 'Delete'
}
