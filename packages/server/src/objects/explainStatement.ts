import type { WireValue } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import type { Statement } from '../db/Database.ts'

/** The plan of a statement as PostgreSQL tells it. The statement is not carried out. */
export async function explainStatement({ db }: Context, { text, values }: Statement): Promise<WireValue[]> {
  const rows = await db.query<{ 'QUERY PLAN': WireValue[] }>({
    text: `explain (format json) ${text}`,
    ...(values && { values }),
  })
  return rows.flatMap((row) => row['QUERY PLAN'])
}
