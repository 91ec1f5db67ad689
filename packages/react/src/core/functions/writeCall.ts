import type { WireFields } from '@countersign/protocol'
import { encodeFields } from '../encodeFields.ts'
import { ValidationError } from '../errors/ValidationError.ts'
import type { AnyUserChanges } from '../UserChanges.ts'

export type WireCall = { _function: string } & WireFields

/** A call as the wire carries it. */
export function writeCall(name: string, input: object = {}): WireCall {
  for (const field of Object.keys(input)) {
    // In a body such names are no input: `_method` makes another request of it, `_SessionToken` another sender.
    if (field.startsWith('_')) {
      throw new ValidationError(`An input of a function cannot be called ${field}.`, 'Names begin with a letter.')
    }
  }
  return { ...encodeFields(input as AnyUserChanges), _function: name }
}
