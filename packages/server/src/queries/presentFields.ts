import type { Condition } from './Condition.ts'

/** Fields that have a value in whatever the condition finds. */
export function presentFields(condition: Condition): ReadonlySet<string> {
  const parts = condition.kind === 'all' ? condition.of : [condition]
  const present = new Set<string>()
  for (const part of parts) {
    const isCertain = part.kind === 'compares' || part.kind === 'equals' || part.kind === 'hasValue'
    if (isCertain && part.place.path.length === 0) present.add(part.place.field)
  }
  return present
}
