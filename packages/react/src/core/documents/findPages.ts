import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import type { Query } from './QueryOptions.ts'
import type { ClassName } from './Register.ts'
import { readDocument } from './readDocument.ts'
import { writeQuery } from './writeQuery.ts'

/**
 * Everything that a query finds, page by page, with `limit` objects a page. Objects that come and go meanwhile make no
 * page repeat or skip another. A failure is thrown.
 *
 * @example
 * for await (const page of findPages(client, query('Game', { order: ['-score'], limit: 500 }))) {
 *   for (const game of page) console.log(game.objectId)
 * }
 */
export async function* findPages<Name extends ClassName, Item>(
  client: Client,
  query: Query<Name, Item>,
  { signal }: { signal?: AbortSignal } = {},
): AsyncGenerator<readonly Item[], void, void> {
  const input = writeQuery(query)
  let cursor: string | true | undefined = true
  while (cursor !== undefined) {
    const answer: { results: object[]; cursor?: string } = await request(
      client,
      'findObjects',
      { ...input, cursor },
      { signal },
    )
    if (answer.results.length > 0) {
      yield Object.freeze(answer.results.map((record) => readDocument<Item>(query.className, record)))
    }
    cursor = answer.cursor
  }
}
