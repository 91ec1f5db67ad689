import type { Found } from './Document.ts'
import type { FieldName, IncludePath, KeyPath, Query, QueryOptions } from './QueryOptions.ts'
import type { ClassName } from './Register.ts'

/**
 * Makes a query: plain data that `find`, `first`, `count`, `findPages` and `useQuery` take.
 *
 * @example
 * const best = query('Game', {
 *   where: { score: { $gte: 100 }, title: startsWith('Chess') },
 *   order: ['-score'],
 *   limit: 20,
 *   include: ['owner'],
 * })
 * const games = await find(client, best)
 */
export function query<
  Name extends ClassName,
  const Include extends IncludePath<Name> = never,
  const Keys extends KeyPath<Name> = never,
  const Left extends FieldName<Name> = never,
>(
  className: Name,
  options: QueryOptions<Name, Include, Keys, Left> = {},
): Query<Name, Found<Name, Include, Keys, Left>> {
  return Object.freeze({ ...options, className })
}
