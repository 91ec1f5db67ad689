import type { Query } from '../QueryOptions.ts'
import type { Subquery } from '../Where.ts'

/** The part of a query that counts inside another one. */
export function toSubquery({ className, where = {} }: Query<string, unknown>): Subquery {
  return { className, where }
}
