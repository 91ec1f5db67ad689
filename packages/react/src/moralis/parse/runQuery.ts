import { count } from '../../core/documents/count.ts'
import { findPages } from '../../core/documents/findPages.ts'
import type { Query } from '../../core/documents/QueryOptions.ts'
import { readDocument } from '../../core/documents/readDocument.ts'
import { writeQuery } from '../../core/documents/writeQuery.ts'
import { request } from '../../core/request.ts'
import type { MoralisObject } from './MoralisObject.ts'
import type { ParseKit } from './ParseKit.ts'
import { wrapValue } from './wrapValue.ts'

type Asked = Query<string, unknown>

export async function findObjects(
  kit: ParseKit,
  query: Asked,
  withCount = false,
): Promise<{ results: MoralisObject[]; count: number | undefined }> {
  const input = { ...writeQuery(query), ...(withCount && { count: 1 as const }) }
  const answer = await request(kit.client, 'findObjects', input)
  return {
    results: answer.results.map((one) => wrapValue(kit, readDocument(query.className, one))),
    count: answer.count,
  }
}

export async function countFound({ client }: ParseKit, query: Asked): Promise<number> {
  return (await count(client, query, { throwOnError: true })) ?? 0
}

/** One object after another, however many there are. */
export async function findEach(
  kit: ParseKit,
  query: Asked,
  callback: (object: MoralisObject) => PromiseLike<void> | void,
): Promise<void> {
  for await (const page of findPages(kit.client, query)) {
    for (const document of page) await callback(wrapValue(kit, document))
  }
}
