import type { WireChanges, WireFields, WireValue } from '@countersign/protocol'
import { ValidationError } from '../errors/ValidationError.ts'
import { encode } from '../wire/encode.ts'
import { isEqual } from '../wire/isEqual.ts'
import { isOperation } from '../wire/isOperation.ts'
import { mergeAnswer } from './mergeAnswer.ts'
import { readDocument } from './readDocument.ts'
import type { AnySaveInput } from './SaveInput.ts'

export type PreparedSave = {
  readonly className: string
  /** Absent for an object that is yet to be made. */
  readonly objectId?: string
  readonly fields: WireFields & WireChanges
  /** The object as it is after the server gave this answer. */
  readonly read: (answer: object) => unknown
}

/** What is to be sent for a save: of an object that was read only what differs, and nothing if nothing does. */
export function prepareSave(input: AnySaveInput, encoded: WireFields & WireChanges): PreparedSave {
  if ('fields' in input) {
    const { className } = input
    if (className === '_User') throw new ValidationError('Accounts are made by signing up.', 'Call signUp instead.')
    const values = Object.entries(encoded).filter(([, value]) => !isOperation(value))
    return { className, fields: encoded, read: (answer) => readNew(className, Object.fromEntries(values), answer) }
  }
  const { object } = input
  const known = object.__type === 'Object' ? new Map<string, unknown>(Object.entries(object)) : undefined
  const changed = Object.entries(encoded).filter(
    ([name, value]) => !known?.has(name) || isOperation(value) || !isEqual(encodeKnown(known, name), value),
  )
  const fields = Object.fromEntries(changed)
  const { className, objectId } = object
  return { className, objectId, fields, read: (answer) => mergeAnswer(object, fields, answer) }
}

function readNew(className: string, values: WireFields, answer: object): unknown {
  const { createdAt }: { createdAt?: WireValue } = answer
  return readDocument(className, { ...values, ...(createdAt && { updatedAt: createdAt }), ...answer })
}

function encodeKnown(known: Map<string, unknown>, name: string): WireValue {
  return encode((known.get(name) ?? null) as Parameters<typeof encode>[0], name)
}
