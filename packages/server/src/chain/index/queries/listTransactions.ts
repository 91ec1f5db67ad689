import type { Context } from '../../../context/Context.ts'
import { type Fragment, sql } from '../../../db/sql.ts'
import type { Transaction } from '../transactions.ts'
import { decodeCursor, mostCounted, type Page, type PageQuery, pageOf } from './Page.ts'

export type TransactionQuery = PageQuery & {
  chain: number
  address: string
  fromBlock?: number | undefined
  toBlock?: number | undefined
  fromTime?: Date | undefined
  toTime?: Date | undefined
}

export type TransactionRow = Omit<Transaction, 'time'> & { time: Date }

const columns = sql`
  hash, block, block_hash as "blockHash", time, index, "from", "to", value::text, nonce::text, gas::text,
  gas_price::text as "gasPrice", input, status, gas_used::text as "gasUsed",
  cumulative_gas_used::text as "cumulativeGasUsed", contract`

/** Transactions that an address sent or received, or that made it, the newest first. */
export async function listTransactions({ db }: Context, query: TransactionQuery): Promise<Page<TransactionRow>> {
  const { limit, offset = 0 } = query
  const cursor = query.cursor ? decodeCursor(query.cursor, ['number', 'number']) : undefined
  const found = sidesOf(query.address).map(
    (side) => sql`(
      select ${columns} from countersign.chain_transactions
      where ${conditions(query, side, cursor?.after)}
      order by block desc, index desc
      limit ${limit + 1 + offset})`,
  )
  const rows = await db.query<TransactionRow>(sql`
    select * from (${sql.join(found, ' union all ')}) found
    order by block desc, index desc
    limit ${limit + 1} offset ${offset}`)
  const total = query.count ? await count(db, query) : undefined
  const place = ({ block, index }: TransactionRow) => [block, index]
  return pageOf(rows, limit, { page: cursor?.page ?? 0, total, place })
}

/** Conditions with one index each; a transaction to oneself is found once. */
const sidesOf = (address: string) => [
  sql`"from" = ${address}`,
  sql`"to" = ${address} and "from" <> ${address}`,
  sql`contract = ${address} and "from" <> ${address}`,
]

async function count(db: Context['db'], query: TransactionQuery): Promise<number> {
  const found = sidesOf(query.address).map(
    (side) => sql`(
      select 1 from countersign.chain_transactions where ${conditions(query, side, undefined)} limit ${mostCounted})`,
  )
  const [row] = await db.query<{ count: number }>(
    sql`select least(count(*), ${mostCounted}) as count from (${sql.join(found, ' union all ')}) found`,
  )
  return row?.count ?? 0
}

function conditions(
  { chain, fromBlock, toBlock, fromTime, toTime }: TransactionQuery,
  side: Fragment,
  after: (string | number)[] | undefined,
): Fragment {
  const wanted = [sql`chain = ${chain}`, side]
  if (fromBlock !== undefined) wanted.push(sql`block >= ${fromBlock}`)
  if (toBlock !== undefined) wanted.push(sql`block <= ${toBlock}`)
  if (fromTime) wanted.push(sql`time >= ${fromTime}`)
  if (toTime) wanted.push(sql`time <= ${toTime}`)
  if (after) wanted.push(sql`(block, index) < (${after[0]}::bigint, ${after[1]}::integer)`)
  return sql.join(wanted, ' and ')
}
