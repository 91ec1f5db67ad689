/**
 * Zod compares `length` and `size` of values of any type with a limit, which throws for objects that have no number,
 * such as `{ length: { valueOf: 1, toString: 1 } }`. Gives an object in such a place a number that no limit allows.
 * Returns false if the place is another one.
 */
export function makeComparable(key: string, value: unknown): boolean {
  if ((key !== 'length' && key !== 'size') || typeof value !== 'object' || value === null) return false
  Object.defineProperty(value, Symbol.toPrimitive, { value: () => Number.NaN, configurable: true })
  return true
}
