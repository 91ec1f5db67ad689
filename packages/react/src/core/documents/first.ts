import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { runAction } from '../runAction.ts'
import type { Query } from './QueryOptions.ts'
import type { ClassName } from './Register.ts'
import { readDocument } from './readDocument.ts'
import { writeQuery } from './writeQuery.ts'

/**
 * The first object that a query finds, if it finds any.
 *
 * @example
 * const winner = await first(client, query('Game', { order: ['-score'] }))
 */
export function first<Name extends ClassName, Item>(
  client: Client,
  query: Query<Name, Item>,
  callbacks: Callbacks<Item | undefined> = {},
): Promise<Item | undefined> {
  return runAction(client, callbacks, async () => {
    const { results } = await request(client, 'findObjects', writeQuery({ ...query, limit: 1 }), callbacks)
    return results[0] && readDocument<Item>(query.className, results[0])
  })
}
