import type { FindInput, WireFields } from '@countersign/protocol'
import { encode } from '../wire/encode.ts'
import type { Query } from './QueryOptions.ts'

export type FindRequest = { readonly className: string } & FindInput

/** The query as the wire carries it. Two queries that ask the same give the same. */
export function writeQuery(query: Query<string, unknown>): FindRequest {
  const { className, where, order, limit, skip, include, keys, excludeKeys, redirectClassNameForKey } = query
  const entries = Object.entries({
    where: where && (encode(where as Parameters<typeof encode>[0], 'where') as WireFields),
    order: join(order),
    limit,
    skip,
    include: join(include),
    keys: join(keys),
    excludeKeys: join(excludeKeys),
    redirectClassNameForKey,
  })
  return { className, ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)) }
}

function join(names: readonly string[] | undefined): string | undefined {
  return names && names.length > 0 ? names.join(',') : undefined
}
