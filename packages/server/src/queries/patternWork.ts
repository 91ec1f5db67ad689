import type { WireFields } from '@countersign/protocol'
import type { Condition } from './Condition.ts'
import { sizeOf } from './patterns/sizeOf.ts'

type Sized = { field: string; size: number }

const known = new WeakMap<Condition, readonly Sized[]>()

/** What the patterns of a condition cost for an object, in letters times states: the one cost that a condition hides. */
export function patternWork(condition: Condition, object: WireFields | undefined): number {
  const patterns = known.get(condition) ?? listPatterns(condition)
  known.set(condition, patterns)
  if (!object) return 0
  return patterns.reduce((sum, { field, size }) => sum + size * lettersOf(object, field), 0)
}

function listPatterns(condition: Condition): readonly Sized[] {
  switch (condition.kind) {
    case 'pattern': {
      const { pattern, place } = condition
      return pattern.plain ? [] : [{ field: place.field, size: sizeOf(pattern.tree) }]
    }
    case 'all':
    case 'any':
      return condition.of.flatMap(listPatterns)
    case 'not':
      return listPatterns(condition.of)
    default:
      return []
  }
}

function lettersOf(object: WireFields, field: string): number {
  const value = Object.hasOwn(object, field) ? object[field] : undefined
  if (value === undefined || value === null) return 0
  return typeof value === 'string' ? value.length : JSON.stringify(value).length
}
