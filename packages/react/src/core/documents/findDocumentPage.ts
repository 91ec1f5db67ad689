import type { CountersignError } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import { request } from '../session/request.ts'
import type { ClassName } from '../values/Register.ts'
import { readDocument, writeQuery } from './findDocuments.ts'
import type { Query } from './Query.ts'

export type DocumentPage<Item> = {
  readonly items: readonly Item[]
  /** Reads the page after this one; absent on the last page. */
  readonly cursor?: string
}

export type DocumentPages<Item> = DocumentPage<Item> & {
  /** Why the next page could not be read; the pages before it are in `items`. */
  readonly moreError?: CountersignError
}

/**
 * One page of what a query finds, with `limit` documents. Give its `cursor` to read the next page. Documents that are
 * created or deleted in between do not make a page repeat or skip others.
 *
 * @example
 * const first = await findDocumentPage(client, defineQuery('Game', { order: ['-score'], limit: 20 }))
 * const second = first.cursor && (await findDocumentPage(client, query, { cursor: first.cursor }))
 */
export function findDocumentPage<Name extends ClassName, Item>(
  client: Client,
  query: Query<Name, Item>,
  { cursor = true, signal }: ActionOptions & { readonly cursor?: string | true | undefined } = {},
): Promise<DocumentPage<Item>> {
  return runAction(client, async () => {
    const answer = await request(client, 'findObjects', { ...writeQuery(query), cursor }, { signal })
    const items = Object.freeze(answer.results.map((record) => readDocument<Item>(query.className, record)))
    return Object.freeze({ items, ...(answer.cursor !== undefined && { cursor: answer.cursor }) })
  })
}
