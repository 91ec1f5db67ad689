import { CountersignError, type WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../../classes/ClassSchema.ts'
import type { Context } from '../../context/Context.ts'
import { type Fragment, sql } from '../../db/sql.ts'

/**
 * Checks a hint, which names an index or its fields. PostgreSQL chooses its indexes itself, so nothing is passed on; a
 * missing index is an error of the caller.
 */
export function checkHint(schema: ClassSchema, hint: WireValue | undefined): void {
  if (hint === undefined || hint === null) return
  if (typeof hint === 'string') {
    if (hint === '_id_' || schema.indexes.has(hint)) return
  } else if (typeof hint === 'object' && !Array.isArray(hint)) {
    const wanted = JSON.stringify(Object.entries(hint).map(([name, way]) => [name === '_id' ? 'objectId' : name, way]))
    if (wanted === '[["objectId",1]]') return
    for (const { fields } of schema.indexes.values()) if (JSON.stringify([...fields]) === wanted) return
  }
  throw new CountersignError(
    'InvalidQuery',
    `hint: class ${schema.className} has no such index. Create it with the schema API, or remove the hint.`,
  )
}

/** The plan of a statement as PostgreSQL tells it. The statement is not carried out. */
export async function explainStatement({ db }: Context, statement: Fragment): Promise<WireValue[]> {
  const rows = await db.query<{ 'QUERY PLAN': WireValue[] }>(sql`explain (format json) ${statement}`)
  return rows.flatMap((row) => row['QUERY PLAN'])
}
