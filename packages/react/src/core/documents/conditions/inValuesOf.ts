import type { FieldName, Query } from '../QueryOptions.ts'
import type { ClassName } from '../Register.ts'
import type { Subquery } from '../Where.ts'
import { toSubquery } from './toSubquery.ts'

/**
 * Values that a field has in an object which another query finds.
 *
 * @example
 * query('Player', { where: { city: inValuesOf(query('Tournament'), 'city') } })
 */
export function inValuesOf<Name extends ClassName, Item>(
  query: Query<Name, Item>,
  key: FieldName<Name>,
): { readonly $select: { readonly key: string; readonly query: Subquery } } {
  return { $select: { key, query: toSubquery(query) } }
}
