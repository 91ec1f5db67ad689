import type { WireChanges, WireFields, WireValue } from '@countersign/protocol'

/** What hooks changed, as the answer tells it: values, and fields that are gone. */
export function ownAnswer(own: WireChanges, hidden: ReadonlySet<string>): WireFields {
  return Object.fromEntries(
    Object.entries(own as { [name: string]: WireValue }).filter(([name, value]) => {
      const operation: unknown = Reflect.get(Object(value), '__op')
      return !hidden.has(name) && name !== 'password' && (operation === undefined || operation === 'Delete')
    }),
  )
}
