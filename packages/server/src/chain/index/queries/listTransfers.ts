import type { Context } from '../../../context/Context.ts'
import { type Fragment, sql } from '../../../db/sql.ts'
import type { TransferKind } from '../Transfer.ts'
import { decodeCursor, mostCounted, type Page, type PageQuery, pageOf } from './Page.ts'

export type TransferQuery = PageQuery & {
  chain: number
  kinds: readonly TransferKind[]
  /** Who sent or received. */
  address?: string | undefined
  direction?: 'both' | 'from' | 'to' | undefined
  tokens?: readonly string[] | undefined
  tokenId?: string | undefined
  fromBlock?: number | undefined
  toBlock?: number | undefined
  fromTime?: Date | undefined
  toTime?: Date | undefined
  order?: 'asc' | 'desc' | undefined
}

export type TransferRow = {
  objectId: string
  kind: TransferKind
  token: string
  from: string
  to: string
  operator: string | null
  tokenId: string | null
  amount: string
  block: number
  blockHash: string
  blockTime: Date
  transaction: string
  transactionIndex: number
  logIndex: number
  sub: number
}

const columns = sql`"objectId", "kind", "token", "from", "to", "operator", "tokenId", "amount", "block", "blockHash",
  "blockTime", "transaction", "transactionIndex", "logIndex", "sub"`

/** Transfers in the order of the chain, the newest first unless asked otherwise. */
export async function listTransfers(context: Context, query: TransferQuery): Promise<Page<TransferRow>> {
  const { db, config } = context
  const { limit, offset = 0, order = 'desc' } = query
  const cursor = query.cursor ? decodeCursor(query.cursor, ['number', 'number', 'number']) : undefined
  const table = sql.table(config.indexer.transferClass)
  // The direction of absent values is that of the index.
  const way = order === 'desc' ? sql`desc nulls last` : sql`asc nulls first`
  const ordered = sql`order by "block" ${way}, "logIndex" ${way}, "sub" ${way}`
  const found = sidesOf(query).map(
    (side) =>
      sql`(select ${columns} from ${table} where ${conditions(query, side, cursor?.after)} ${ordered} limit ${limit + 1 + offset})`,
  )
  const page = sql`select * from (${sql.join(found, ' union all ')}) found ${ordered} limit ${limit + 1} offset ${offset}`
  const total = query.count ? writeCount(query, table) : sql`null`
  // As one JSON value, which is read quicker than columns. Without a name, and so planned for these values: what is quick
  // for most addresses sorts a million rows of a busy one.
  const [answer] = await db.query<{ rows: JsonRow[]; total: number | null }>(
    sql`select (select coalesce(json_agg(_row), '[]') from (${page}) _row) as rows, ${total} as total`,
  )
  const rows = (answer?.rows ?? []).map((row) => ({ ...row, blockTime: new Date(row.blockTime) }))
  const place = ({ block, logIndex, sub }: TransferRow) => [block, logIndex, sub]
  return pageOf(rows, limit, { page: cursor?.page ?? 0, total: answer?.total ?? undefined, place })
}

type JsonRow = Omit<TransferRow, 'blockTime'> & { blockTime: string }

function writeCount(query: TransferQuery, table: Fragment): Fragment {
  const found = sidesOf(query).map(
    (side) => sql`(select 1 from ${table} where ${conditions(query, side, undefined)} limit ${mostCounted})`,
  )
  return sql`(select least(count(*), ${mostCounted}) from (${sql.join(found, ' union all ')}) counted)`
}

type Side = 'from' | 'to' | 'toAlone' | undefined

/** Each side has an index of its own; what someone sent to himself is found once. */
function sidesOf({ address, direction = 'both' }: TransferQuery): Side[] {
  if (address === undefined) return [undefined]
  return direction === 'both' ? ['from', 'toAlone'] : [direction]
}

function conditions(query: TransferQuery, side: Side, after: (string | number)[] | undefined): Fragment {
  const { chain, kinds, address, tokens, tokenId, fromBlock, toBlock, fromTime, toTime, order } = query
  const wanted = [sql`"chain" = ${chain}`]
  if (kinds.includes('erc20')) wanted.push(sql`"kind" = any(${kinds})`)
  // In the words of the index that holds collectibles alone.
  else wanted.push(sql`"kind" <> 'erc20'`)
  if (side === 'from') wanted.push(sql`"from" = ${address}`)
  if (side === 'to' || side === 'toAlone') wanted.push(sql`"to" = ${address}`)
  if (side === 'toAlone') wanted.push(sql`"from" <> "to"`)
  if (tokens?.length === 1) wanted.push(sql`"token" = ${tokens[0]}`)
  else if (tokens) wanted.push(sql`"token" = any(${tokens})`)
  if (tokenId !== undefined) wanted.push(sql`"tokenId" = ${tokenId}`)
  if (fromBlock !== undefined) wanted.push(sql`"block" >= ${fromBlock}`)
  if (toBlock !== undefined) wanted.push(sql`"block" <= ${toBlock}`)
  if (fromTime) wanted.push(sql`"blockTime" >= ${fromTime}`)
  if (toTime) wanted.push(sql`"blockTime" <= ${toTime}`)
  if (after) {
    const edge = sql.param(after[0])
    const sign = order === 'asc' ? sql`>` : sql`<`
    // The first by itself, since the index serves no comparison of several at once.
    wanted.push(sql`"block" ${sign}= ${edge}`)
    wanted.push(sql`("block", "logIndex", "sub") ${sign} (${edge}::float8, ${after[1]}::float8, ${after[2]}::float8)`)
  }
  return sql.join(wanted, ' and ')
}
