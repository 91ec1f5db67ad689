import type { Condition } from './Condition.ts'

/** Whether a condition, or a subquery of it, is decided by a pattern: the one thing whose cost its length hides. */
export function hasPattern(condition: Condition): boolean {
  switch (condition.kind) {
    case 'pattern':
      return condition.pattern.plain === undefined
    case 'all':
    case 'any':
      return condition.of.some(hasPattern)
    case 'not':
      return hasPattern(condition.of)
    case 'inQuery':
    case 'select':
      return hasPattern(condition.query.condition)
    case 'relation':
      return condition.query !== undefined && hasPattern(condition.query.condition)
    default:
      return false
  }
}
