/**
 * The later of two readings, with unchanged parts taken from the earlier one, so that they need not be drawn again.
 * Objects in lists are matched by their id.
 */
export function shareStructure<Value>(before: unknown, after: Value): Value {
  if (Object.is(before, after)) return after
  if (typeof before !== 'object' || typeof after !== 'object' || !before || !after) return after
  if (before instanceof Date || after instanceof Date) {
    return before instanceof Date && after instanceof Date && +before === +after ? (before as Value) : after
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const known = new Map<unknown, unknown>(before.map((item) => [idOf(item), item]))
    const items = after.map((item, index) => shareStructure(known.get(idOf(item) ?? '') ?? before[index], item))
    const isSame = items.length === before.length && items.every((item, index) => Object.is(item, before[index]))
    return (isSame ? before : Object.freeze(items)) as Value
  }
  if (Array.isArray(before) || Array.isArray(after) || !isPlain(before) || !isPlain(after)) return after
  const earlier = new Map<string, unknown>(Object.entries(before))
  const entries = Object.entries(after).map(([key, value]) => [key, shareStructure(earlier.get(key), value)] as const)
  const isSame = entries.length === earlier.size && entries.every(([key, value]) => Object.is(value, earlier.get(key)))
  return (isSame ? before : Object.freeze(Object.fromEntries(entries))) as Value
}

/** Maps, sets and instances of classes hold more than their properties. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'objectId' in value ? value.objectId : undefined
}
