import type { Query } from '../QueryOptions.ts'
import type { ClassName } from '../Register.ts'
import type { Subquery } from '../Where.ts'
import { toSubquery } from './toSubquery.ts'

/**
 * Pointers to an object that another query finds. Order, limit and skip of that query do not count.
 *
 * @example
 * query('Score', { where: { game: inQuery(query('Game', { where: { title: 'Chess' } })) } })
 */
export function inQuery<Name extends ClassName, Item>(query: Query<Name, Item>): { readonly $inQuery: Subquery } {
  return { $inQuery: toSubquery(query) }
}
