import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { runAction } from '../runAction.ts'
import type { Query } from './QueryOptions.ts'
import type { ClassName } from './Register.ts'
import { writeQuery } from './writeQuery.ts'

/**
 * How many objects a query would find without `limit` and `skip`.
 *
 * @example
 * const finished = await count(client, query('Game', { where: { finishedAt: { $exists: true } } }))
 */
export function count<Name extends ClassName, Item>(
  client: Client,
  query: Query<Name, Item>,
  callbacks: Callbacks<number> = {},
): Promise<number | undefined> {
  return runAction(client, callbacks, async () => {
    const { className, where, redirectClassNameForKey } = query
    const input = { ...writeQuery({ className, where, redirectClassNameForKey, limit: 0 }), count: 1 } as const
    const answer = await request(client, 'findObjects', input, callbacks)
    return answer.count ?? 0
  })
}
