import type { FieldName, Query } from '../QueryOptions.ts'
import type { ClassName } from '../Register.ts'
import type { Subquery } from '../Where.ts'
import { toSubquery } from './toSubquery.ts'

/**
 * Values that a field has in no object which another query finds.
 *
 * @example
 * query('Player', { where: { city: notInValuesOf(query('Tournament'), 'city') } })
 */
export function notInValuesOf<Name extends ClassName, Item>(
  query: Query<Name, Item>,
  key: FieldName<Name>,
): { readonly $dontSelect: { readonly key: string; readonly query: Subquery } } {
  return { $dontSelect: { key, query: toSubquery(query) } }
}
