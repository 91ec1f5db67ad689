import type { WireValue } from '@countersign/protocol'

/**
 * The same text for equal values, whatever the order of their keys. A list may be as long as a request, so what is
 * equal in it is found by this, not by comparing each with each.
 */
export function valueKey(value: WireValue): string {
  return JSON.stringify(sorted(value))
}

function sorted(value: WireValue): WireValue {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value) as [string, WireValue][]
  entries.sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}
