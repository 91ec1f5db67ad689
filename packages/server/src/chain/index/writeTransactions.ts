import type { Database } from '../../db/Database.ts'
import { json } from '../../db/sql.ts'
import type { Transaction } from './Transaction.ts'

/** Keeps transactions, in the open transaction of the database; one that is kept already changes nothing. */
export async function writeTransactions(
  { db, chain }: { db: Database; chain: number },
  transactions: readonly Transaction[],
): Promise<void> {
  if (transactions.length === 0) return
  await db.query({
    text: `insert into countersign.chain_transactions (chain, block, index, hash, block_hash, time, "from", "to", value,
             nonce, gas, gas_price, input, status, gas_used, cumulative_gas_used, contract)
           select $1, block, index, hash, "blockHash", to_timestamp(time), "from", "to", value, nonce, gas, "gasPrice",
             input, status, "gasUsed", "cumulativeGasUsed", contract
           from jsonb_to_recordset($2::jsonb) as given (block bigint, index integer, hash text, "blockHash" text,
             time bigint, "from" text, "to" text, value numeric, nonce numeric, gas numeric, "gasPrice" numeric,
             input text, status integer, "gasUsed" numeric, "cumulativeGasUsed" numeric, contract text)
           order by block, index
           on conflict do nothing`,
    values: [chain, json(transactions)],
  })
}
