import type { WireValue } from '@countersign/protocol'

/** Deep equality of wire values, by own properties alone and without regard to their order. */
export function isEqual(a: WireValue | undefined, b: WireValue | undefined): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const left = new Map<string, WireValue>(Object.entries(a))
  const right = new Map<string, WireValue>(Object.entries(b))
  if (left.size !== right.size) return false
  for (const [key, value] of left) {
    if (!right.has(key) || !isEqual(value, right.get(key))) return false
  }
  return true
}
