import type { WireFields } from '@countersign/protocol'
import type { AnyUserChanges } from './UserChanges.ts'
import { encode } from './wire/encode.ts'

/** The fields as the wire carries them; `undefined` is left out. */
export function encodeFields(fields: AnyUserChanges): WireFields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, encode(value, name)]])),
  )
}
