import { CountersignError } from '@countersign/protocol'
import type { Database } from '../db/Database.ts'
import { sql } from '../db/sql.ts'
import { type Change, initialValue } from './Change.ts'
import { type ClassSchema, tableOf } from './ClassSchema.ts'

/** Letters of JSON: no more than the limit of a response, so that a client can read what it wrote. */
const largestObject = 20 * 1024 * 1024

/** By smaller changes an object of the most fields stays in bounds that nobody notices. */
const leastChecked = 32 * 1024

/**
 * Changes an object, and rolls back if it becomes too large. Each request is limited, but many could build an object
 * whose reading stops the server. The master key has no limit.
 */
export async function withinSize<Result>(
  { db }: { db: Database },
  isMaster: boolean,
  object: { schema: ClassSchema; objectId: string },
  changes: Change[],
  write: () => Promise<Result>,
): Promise<Result> {
  if (isMaster || changes.reduce((sum, change) => sum + lettersOf(change), 0) < leastChecked) return write()
  return db.transaction(async () => {
    const result = await write()
    const [row] = await db.query<{ letters: number }>(sql`
      select length(row_to_json(o.*)::text) as letters
      from ${tableOf(object.schema)} as o
      where "objectId" = ${object.objectId}`)
    if ((row?.letters ?? 0) <= largestObject) return result
    throw new CountersignError(
      'ObjectTooLarge',
      'The object would be larger than 20 MB. Split it, or store the data in files.',
    )
  })
}

function lettersOf(change: Change): number {
  const value = initialValue(change)
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 0
}
