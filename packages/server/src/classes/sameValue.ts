import type { WireValue } from '@countersign/protocol'

/** Equal in every part, whatever the order of the keys. */
export function sameValue(one: WireValue, other: WireValue): boolean {
  if (one === other) return true
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') return false
  const keys = Object.keys(one)
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && sameValue(Reflect.get(one, key), Reflect.get(other, key)))
  )
}
