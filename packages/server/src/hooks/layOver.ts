import type { WireChanges } from '@countersign/protocol'

/** What was sent, with the hooks' own changes in the place of those of the same fields. */
export function layOver(input: WireChanges, own: WireChanges): WireChanges {
  const kept = Object.entries(input).filter(([key]) => !Object.hasOwn(own, key.split('.')[0] ?? key))
  return { ...Object.fromEntries(kept), ...own }
}
