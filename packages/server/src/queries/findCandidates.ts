import type { WireFields, WireValue } from '@countersign/protocol'
import type { Place } from './Condition.ts'

type Parts = { [key: string]: WireValue }

/** What an object has at a place in JSON: the twin of `writeSome`. */
export function findCandidates(place: Place, object: WireFields, which: 'whole' | 'elements'): WireValue[] {
  const base = Object.hasOwn(object, place.field) ? object[place.field] : undefined
  if (base === undefined || base === null) return []
  const isExact = place.path.some((key) => /^\d+$/.test(key))
  const found = isExact ? followExactly(base, place.path) : place.path.reduce(lookThrough, [base])
  return which === 'whole' ? found : found.flatMap((value) => (Array.isArray(value) ? value : [value]))
}

/** A key of each value, and of the elements of those that are arrays. */
function lookThrough(values: WireValue[], key: string): WireValue[] {
  return values
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .flatMap((value) => {
      const inner = findKey(value, key)
      return inner === undefined ? [] : [inner]
    })
}

function followExactly(base: WireValue, path: readonly string[]): WireValue[] {
  let value: WireValue | undefined = base
  for (const key of path) {
    if (Array.isArray(value)) value = /^\d{1,9}$/.test(key) ? value[Number(key)] : undefined
    else value = findKey(value, key)
    if (value === undefined) return []
  }
  return [value]
}

function findKey(value: WireValue | undefined, key: string): WireValue | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  return Object.hasOwn(value, key) ? (value as Parts)[key] : undefined
}
