import type { Context } from '../../../context/Context.ts'
import { type Bindings, createBindings } from '../../../db/createBindings.ts'
import type { Transaction } from '../Transaction.ts'
import { decodeCursor } from './cursor.ts'
import { mostCounted, type Page, type PageQuery, pageOf } from './Page.ts'

export type TransactionQuery = PageQuery & {
  chain: number
  address: string
  fromBlock?: number | undefined
  toBlock?: number | undefined
  fromTime?: Date | undefined
  toTime?: Date | undefined
}

export type TransactionRow = Omit<Transaction, 'time'> & { time: Date }

const columns = `hash, block, block_hash as "blockHash", time, index, "from", "to", value::text, nonce::text, gas::text,
  gas_price::text as "gasPrice", input, status, gas_used::text as "gasUsed",
  cumulative_gas_used::text as "cumulativeGasUsed", contract`

/** Transactions that an address sent or received, or that made it, the newest first. */
export async function listTransactions({ db }: Context, query: TransactionQuery): Promise<Page<TransactionRow>> {
  const { limit, offset = 0 } = query
  const cursor = query.cursor ? decodeCursor(query.cursor, ['number', 'number']) : undefined
  const bindings = createBindings()
  const bound = bindings.bind(limit + 1 + offset)
  const found = sides.map(
    (side) => `(select ${columns} from countersign.chain_transactions
      where ${conditions(bindings, query, side, cursor?.after)} order by block desc, index desc limit ${bound})`,
  )
  const rows = await db.query<TransactionRow>({
    text: `select * from (${found.join(' union all ')}) found order by block desc, index desc
           limit ${bindings.bind(limit + 1)} offset ${bindings.bind(offset)}`,
    values: bindings.values,
  })
  const total = query.count ? await count(db, query) : undefined
  const place = ({ block, index }: TransactionRow) => [block, index]
  return pageOf(rows, limit, { page: cursor?.page ?? 0, total, place })
}

/** Each has an index of its own; what an address sent to itself is found once. */
const sides = ['"from" = @', '"to" = @ and "from" <> @', 'contract = @ and "from" <> @'] as const

async function count(db: Context['db'], query: TransactionQuery): Promise<number> {
  const bindings = createBindings()
  const found = sides.map(
    (side) => `(select 1 from countersign.chain_transactions
      where ${conditions(bindings, query, side, undefined)} limit ${mostCounted})`,
  )
  const [row] = await db.query<{ count: number }>({
    text: `select least(count(*), ${mostCounted}) as count from (${found.join(' union all ')}) found`,
    values: bindings.values,
  })
  return row?.count ?? 0
}

function conditions(
  { bind }: Bindings,
  { chain, address, fromBlock, toBlock, fromTime, toTime }: TransactionQuery,
  side: (typeof sides)[number],
  after: (string | number)[] | undefined,
): string {
  const wanted = [`chain = ${bind(chain)}`, side.replaceAll('@', bind(address))]
  if (fromBlock !== undefined) wanted.push(`block >= ${bind(fromBlock)}`)
  if (toBlock !== undefined) wanted.push(`block <= ${bind(toBlock)}`)
  if (fromTime) wanted.push(`time >= ${bind(fromTime)}`)
  if (toTime) wanted.push(`time <= ${bind(toTime)}`)
  if (after) wanted.push(`(block, index) < (${bind(after[0])}::bigint, ${bind(after[1])}::integer)`)
  return wanted.join(' and ')
}
