import type { LiveQueryText } from '@countersign/protocol'
import type { Query } from '../documents/QueryOptions.ts'
import { writeQuery } from '../documents/writeQuery.ts'
import { ValidationError } from '../errors/ValidationError.ts'

/** The part of a query that the server matches events with. `also` names fields that are needed besides. */
export function writeLiveQuery(query: Query<string, unknown>, also: readonly string[] = []): LiveQueryText {
  if (query.redirectClassNameForKey !== undefined) {
    throw new ValidationError(
      'A live query cannot follow redirectClassNameForKey',
      'Ask for the class that the key points to, by its own name.',
    )
  }
  const { className, where = {} } = writeQuery(query)
  if (!query.keys?.length) return { className, where }
  const heads = query.keys.map((key) => key.split('.')[0] ?? key).filter((key) => !key.startsWith('$'))
  return { className, where, keys: Array.from(new Set([...heads, ...also])) }
}
