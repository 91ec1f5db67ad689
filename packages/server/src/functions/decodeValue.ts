import type { WireFields, WireValue } from '@countersign/protocol'
import type { CodeObject, CodeValue } from './Objects.ts'

/** Turns a value of the wire into what code sees: dates as `Date`. How deep it may be nested was checked on arrival. */
export function decodeValue(value: WireValue): CodeValue {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(decodeValue)
  const { __type, iso } = value as { __type?: WireValue; iso?: WireValue }
  if (__type === 'Date' && typeof iso === 'string') return new Date(iso)
  return decodeFields(value as WireFields, __type === 'Object')
}

/** An object of a class, whose own times are plain texts on the wire. */
export function decodeObject<Fields extends object>(className: string, record: WireFields): CodeObject<Fields> {
  const { className: own = className, ...fields } = record
  return decodeFields({ __type: 'Object', className: own, ...fields }, true) as CodeObject<Fields>
}

function decodeFields(fields: WireFields, hasTimes: boolean): { [name: string]: CodeValue } {
  // fromEntries defines own properties, so a key called __proto__ stays a key.
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const isTime = hasTimes && (name === 'createdAt' || name === 'updatedAt')
      return [name, isTime && typeof value === 'string' ? new Date(value) : decodeValue(value)]
    }),
  )
}
