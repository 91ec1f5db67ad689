import type { Query } from '../QueryOptions.ts'
import type { ClassName } from '../Register.ts'
import type { Subquery } from '../Where.ts'
import { toSubquery } from './toSubquery.ts'

/**
 * Pointers to an object that another query does not find. Order, limit and skip of that query do not count.
 *
 * @example
 * query('Score', { where: { game: notInQuery(query('Game', { where: { title: 'Chess' } })) } })
 */
export function notInQuery<Name extends ClassName, Item>(query: Query<Name, Item>): { readonly $notInQuery: Subquery } {
  return { $notInQuery: toSubquery(query) }
}
