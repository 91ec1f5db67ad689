import type { WireValue } from '@countersign/protocol'
import type { FieldValue } from '../User.ts'

/** Turns a value of the wire into what the application sees: dates as `Date`, everything frozen. */
export function decode(value: WireValue): FieldValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(decode))
  if (Object.hasOwn(value, '__type') && value.__type === 'Date' && typeof value.iso === 'string') {
    return new Date(value.iso)
  }
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decode(item as WireValue)])))
}
