import type { WireValue } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { type Fragment, sql } from '../../db/sql.ts'

/** The plan of a statement as PostgreSQL tells it. The statement is not carried out. */
export async function explainStatement({ db }: Context, statement: Fragment): Promise<WireValue[]> {
  const rows = await db.query<{ 'QUERY PLAN': WireValue[] }>(sql`explain (format json) ${statement}`)
  return rows.flatMap((row) => row['QUERY PLAN'])
}
