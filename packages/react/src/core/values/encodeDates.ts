import type { WireValue } from '@countersign/protocol'

/** Dates as the wire has them; everything else is plain already. */
export function encodeDates(value: unknown): WireValue {
  if (value instanceof Date) return { __type: 'Date', iso: value.toISOString() }
  if (Array.isArray(value)) return value.map(encodeDates)
  if (typeof value !== 'object' || value === null) return value as WireValue
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, encodeDates(item)]))
}
