import type { WireChanges, WireFields, WireValue } from '@countersign/protocol'

/** What hooks changed, as the answer tells it: values, and fields that are gone. */
export function ownAnswer(own: WireChanges, hidden: ReadonlySet<string>): WireFields {
  return pick(own, (name, operation) => {
    return !hidden.has(name) && name !== 'password' && (operation === undefined || operation === 'Delete')
  })
}

/** The values that hooks set. */
export function setBy(own: WireChanges): WireFields {
  return pick(own, (_name, operation) => operation === undefined)
}

function pick(own: WireChanges, isWanted: (name: string, operation: unknown) => boolean): WireFields {
  const entries = Object.entries(own as { [name: string]: WireValue })
  return Object.fromEntries(entries.filter(([name, value]) => isWanted(name, Reflect.get(Object(value), '__op'))))
}
