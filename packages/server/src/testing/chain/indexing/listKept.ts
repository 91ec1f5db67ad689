import type { Database } from '../../../db/Database.ts'
import { sql } from '../../../db/sql.ts'
import { listIndexed } from './listIndexed.ts'

/** Content of a chain's index, transfers and holdings, as lines of text. */
export async function listKept(db: Database, chain: number): Promise<string[]> {
  const rows = await db.query<{
    line: string
  }>(sql`
    select concat_ws(' ', owner, 'holds', token, id, amount) as line from countersign.chain_holdings
    where chain = ${chain} and amount <> 0`)
  return [...rows.map(({ line }) => line), ...(await listIndexed(db, chain))].sort()
}
