import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { runAction } from '../runAction.ts'
import type { Query } from './QueryOptions.ts'
import type { ClassName } from './Register.ts'
import { readDocument } from './readDocument.ts'
import { writeQuery } from './writeQuery.ts'

/**
 * The objects that a query finds and the present user may read. Nobody needs to be signed in for public ones.
 *
 * @example
 * const games = await find(client, query('Game', { where: { score: { $gt: 5 } }, order: ['-score'] }))
 */
export function find<Name extends ClassName, Item>(
  client: Client,
  query: Query<Name, Item>,
  callbacks: Callbacks<readonly Item[]> = {},
): Promise<readonly Item[] | undefined> {
  return runAction(client, callbacks, async () => {
    const { results } = await request(client, 'findObjects', writeQuery(query), callbacks)
    return Object.freeze(results.map((record) => readDocument<Item>(query.className, record)))
  })
}
