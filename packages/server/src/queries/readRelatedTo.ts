import { CountersignError, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { decide } from '../permissions/decide.ts'
import { refuseInternal } from '../permissions/refuseInternal.ts'
import type { Condition } from './Condition.ts'
import { never } from './conditions.ts'
import { checkAskable, type Reading } from './Reading.ts'
import { readName } from './resolvePlace.ts'

type Parts = { [key: string]: WireValue }

/** `{ "$relatedTo": { "object": <Pointer>, "key": "likes" } }`: what the relation of an object holds. */
export function readRelatedTo(reading: Reading, schema: ClassSchema, value: WireValue): Condition {
  const { object, key } = (value ?? {}) as Parts
  const pointer = (object ?? {}) as Parts
  const isWhole = pointer.__type === 'Pointer' && typeof pointer.className === 'string' && typeof key === 'string'
  const { objectId } = pointer
  // Clients ask for the relation of an object that is not saved yet, which holds nothing.
  const isUnsaved = objectId === undefined || objectId === null
  if (!isWhole || (!isUnsaved && typeof objectId !== 'string')) {
    throw new CountersignError('InvalidQuery', 'improper usage of $relatedTo')
  }
  const [field] = readName(key as string)
  refuseInternal(reading.access, pointer.className as string, 'get')
  const owner = reading.classes.find(pointer.className as string)
  if (!owner) return never
  checkAskable(reading, owner, field)
  const decision = decide(owner, reading.access, 'get')
  if (isUnsaved || owner.relations.get(field) !== schema.className) return never
  return { kind: 'relatedTo', owner: { schema: owner, decision, objectId }, field }
}
