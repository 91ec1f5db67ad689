import type { FindInput, WireFields } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import { request } from '../session/request.ts'
import type { Found } from '../values/Document.ts'
import { decode } from '../values/decode.ts'
import { encode } from '../values/encode.ts'
import type { ClassName } from '../values/Register.ts'
import type { AnyQuery, FieldName, IncludePath, KeyPath, Query, QueryOptions } from './Query.ts'

/**
 * The objects that a query finds and the present user may read. Nobody needs to be signed in for public ones.
 *
 * @example
 * const games = await findDocuments(client, defineQuery('Game', { where: { score: { $gt: 5 } }, order: ['-score'] }))
 */
export function findDocuments<Name extends ClassName, Item>(
  client: Client,
  query: Query<Name, Item>,
  { signal }: ActionOptions = {},
): Promise<readonly Item[]> {
  return runAction(client, async () => {
    const { results } = await request(client, 'findObjects', writeQuery(query), { signal })
    return Object.freeze(results.map((record) => readDocument<Item>(query.className, record)))
  })
}

/**
 * The first object that a query finds, if it finds any.
 *
 * @example
 * const winner = await findFirstDocument(client, defineQuery('Game', { order: ['-score'] }))
 */
export function findFirstDocument<Name extends ClassName, Item>(
  client: Client,
  query: Query<Name, Item>,
  { signal }: ActionOptions = {},
): Promise<Item | undefined> {
  return runAction(client, async () => {
    const { results } = await request(client, 'findObjects', writeQuery({ ...query, limit: 1 }), { signal })
    return results[0] && readDocument<Item>(query.className, results[0])
  })
}

/**
 * Finds all results, page by page, with `limit` documents a page. Concurrent changes make no page repeat or skip
 * another. A failure is thrown.
 *
 * @example
 * for await (const page of findDocumentPages(client, defineQuery('Game', { order: ['-score'], limit: 500 }))) {
 *   for (const game of page) console.log(game.objectId)
 * }
 */
export async function* findDocumentPages<Name extends ClassName, Item>(
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

/**
 * How many objects a query would find without `limit` and `skip`.
 *
 * @example
 * const finished = await countDocuments(client, defineQuery('Game', { where: { finishedAt: { $exists: true } } }))
 */
export function countDocuments<Name extends ClassName, Item>(
  client: Client,
  query: Query<Name, Item>,
  { signal }: ActionOptions = {},
): Promise<number> {
  return runAction(client, async () => {
    const { className, where, redirectClassNameForKey, maxStaleness } = query
    const asked = writeQuery({ className, where, redirectClassNameForKey, maxStaleness, limit: 0 })
    const answer = await request(client, 'findObjects', { ...asked, count: 1 }, { signal })
    return answer.count ?? 0
  })
}

export type GetOptions<Include extends string, Keys extends string, Left extends string> = Pick<
  QueryOptions<ClassName, Include, Keys, Left>,
  'include' | 'keys' | 'excludeKeys' | 'maxStaleness'
>

export type CountOptions<Name extends ClassName> = Pick<QueryOptions<Name>, 'where' | 'maxStaleness'>

/**
 * An object by its id. A missing or unreadable one is error 101.
 *
 * @example
 * const game = await getDocument(client, 'Game', 'xWMyZ4YEGZ', { include: ['owner'] })
 */
export function getDocument<
  Name extends ClassName,
  const Include extends IncludePath<Name> = never,
  const Keys extends KeyPath<Name> = never,
  const Left extends FieldName<Name> = never,
>(
  client: Client,
  className: Name,
  objectId: string,
  options: GetOptions<Include, Keys, Left> = {},
  { signal }: ActionOptions = {},
): Promise<Found<Name, Include, Keys, Left>> {
  return runAction(client, async () => {
    const { include, keys, excludeKeys, maxStaleness } = options
    const input = { ...writeQuery({ className, include, keys, excludeKeys, maxStaleness }), objectId }
    return readDocument(className, await request(client, 'getObject', input, { signal }))
  })
}

/** Frozen snapshot of an object from the server. */
export function readDocument<Item>(className: string, record: object): Item {
  const { className: own = className, ...fields }: WireFields = { ...record }
  return decode({ __type: 'Object', className: own, ...fields }) as Item
}

export type FindRequest = { readonly className: string } & FindInput

/** The query as the wire carries it. Two queries that ask the same give the same. */
export function writeQuery(query: AnyQuery): FindRequest {
  const { className, where, order, limit, skip, include, keys, excludeKeys, redirectClassNameForKey, maxStaleness } =
    query
  const entries = Object.entries({
    where: where && (encode(where as Parameters<typeof encode>[0], 'where') as WireFields),
    order: join(order),
    limit,
    skip,
    include: join(include),
    keys: join(keys),
    excludeKeys: join(excludeKeys),
    redirectClassNameForKey,
    maxStaleness,
  })
  return { className, ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)) }
}

function join(names: readonly string[] | undefined): string | undefined {
  return names && names.length > 0 ? names.join(',') : undefined
}
