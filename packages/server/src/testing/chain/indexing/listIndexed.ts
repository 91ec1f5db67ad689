import type { Database } from '../../../db/Database.ts'
import { sql } from '../../../db/sql.ts'

/** Content of the index, in the form of `listTransfers`. */
export async function listIndexed(db: Database, chain: number): Promise<string[]> {
  const rows = await db.query<{
    line: string
  }>(sql`
    select concat_ws(' ', "kind", "token", "from", "to", coalesce("tokenId", '-'), "amount",
      "blockHash", "transaction", "logIndex", "sub") as line
    from "Transfer"
    where "chain" = ${chain}`)
  return rows.map(({ line }) => line).sort()
}
