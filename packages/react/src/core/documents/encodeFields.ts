import type { WireChanges, WireFields } from '@countersign/protocol'
import { ValidationError } from '../errors/ValidationError.ts'
import type { FieldValue } from '../User.ts'
import { encode } from '../wire/encode.ts'

/** Fields that the server alone sets; they come along when an application hands a whole snapshot back. */
const fixed = new Set(['objectId', 'createdAt', 'updatedAt', 'className', '__type'])

/** What is to be saved, as the wire carries it; `undefined` is left out. */
export function encodeFields(fields: object): WireFields & WireChanges {
  const entries = Object.entries(fields).filter(([name, value]) => value !== undefined && !fixed.has(name))
  for (const [name] of entries) {
    // In a body such names are not fields: `_method` makes another request of it, `_SessionToken` another sender.
    if (name.startsWith('_')) {
      throw new ValidationError(`A field cannot be called ${name}.`, 'Names of fields begin with a letter.')
    }
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, encode(value as FieldValue, name)]))
}
