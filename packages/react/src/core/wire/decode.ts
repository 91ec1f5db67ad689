import type { WireValue } from '@countersign/protocol'
import type { FieldValue } from '../User.ts'

/** Turns a value of the wire into what the application sees: dates as `Date`, everything frozen. */
export function decode(value: WireValue): FieldValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(decode))
  const fields = new Map<string, WireValue>(Object.entries(value))
  const type = fields.get('__type')
  const iso = fields.get('iso')
  if (type === 'Date' && typeof iso === 'string') return new Date(iso)
  if (type === 'Object') return decodeObject(fields)
  return Object.freeze(Object.fromEntries(Array.from(fields, ([key, item]) => [key, decode(item)])))
}

/** An object of a class, which has its own times as plain texts. */
function decodeObject(fields: Map<string, WireValue>): FieldValue {
  // The present user's own row has it; what an application draws or keeps must not.
  if (String(fields.get('className')).startsWith('_')) fields.delete('sessionToken')
  const entries = Array.from(fields, ([key, item]) => {
    const isTime = key === 'createdAt' || key === 'updatedAt'
    return [key, isTime && typeof item === 'string' ? new Date(item) : decode(item)]
  })
  return Object.freeze(Object.fromEntries(entries))
}
