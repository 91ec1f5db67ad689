import type { WireValue } from '@countersign/protocol'
import { inferFieldType } from '../../classes/inferFieldType.ts'
import type { Bindings } from '../../db/createBindings.ts'
import type { Value } from './Value.ts'

type Typed = { [key: string]: WireValue }

/** A value of the client, bound. */
export function writeLiteral(bindings: Bindings, literal: unknown): Value {
  const bound = (value: unknown, cast: string) => `${bindings.bind(value)}::${cast}`
  if (literal === null || literal === undefined) return { sql: 'null::jsonb', type: 'json' }
  if (typeof literal === 'number') return { sql: bound(literal, 'double precision'), type: 'number' }
  if (typeof literal === 'string') return { sql: bound(literal, 'text'), type: 'text' }
  if (typeof literal === 'boolean') return { sql: bound(literal, 'boolean'), type: 'boolean' }
  // Refuses what is not well formed.
  const field = inferFieldType(literal as WireValue)
  const typed = literal as Typed
  if (field?.type === 'Date') return { sql: bound(new Date(typed.iso as string), 'timestamptz'), type: 'date' }
  if (field?.type === 'Pointer') {
    return { sql: bound(typed.objectId, 'text'), type: 'pointer', targetClass: field.targetClass ?? '' }
  }
  return { sql: bound(JSON.stringify(literal), 'jsonb'), type: 'json' }
}
