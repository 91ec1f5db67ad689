import type { Condition } from './Condition.ts'

/**
 * Whether a condition can be decided from the object alone. Subqueries and relations ask about other rows, a text
 * search needs PostgreSQL's dictionaries, and a session's token is kept only in the database.
 */
export function isMatchable(condition: Condition): boolean {
  switch (condition.kind) {
    case 'constant':
      return true
    case 'all':
    case 'any':
      return condition.of.every(isMatchable)
    case 'not':
      return isMatchable(condition.of)
    case 'text':
    case 'inQuery':
    case 'select':
    case 'relation':
    case 'relatedTo':
      return false
    default:
      return !condition.place.field.startsWith('_')
  }
}
