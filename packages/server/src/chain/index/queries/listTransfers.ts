import type { Context } from '../../../context/Context.ts'
import { type Fragment, sql } from '../../../db/sql.ts'
import { type TransferKind, transferKinds } from '../Transfer.ts'
import { decodeCursor, encodeCursor, mostCounted, type Page, type PageQuery, pageOf, type WrittenPage } from './Page.ts'

export type TransferQuery = PageQuery & {
  chain: number
  kinds: readonly TransferKind[]
  /** Sender or recipient. */
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
  const { page, total, cursor } = writeQuery(context, query)
  // As one JSON value, which is read quicker than columns.
  const [answer] = await context.db.query<{ rows: JsonRow[]; total: number | null }>(
    sql`select (select coalesce(json_agg(_row), '[]') from (${page}) _row) as rows, ${total} as total`,
  )
  const rows = (answer?.rows ?? []).map((row) => ({ ...row, blockTime: new Date(row.blockTime) }))
  const place = ({ block, logIndex, sub }: TransferRow) => [block, logIndex, sub]
  return pageOf(rows, query.limit, { page: cursor?.page ?? 0, total: answer?.total ?? undefined, place })
}

/** The transfer in the form of the contract. */
const record = sql`json_build_object(
  'kind', "kind", 'token', "token", 'from', "from", 'to', "to", 'operator', "operator",
  'tokenId', "tokenId", 'amount', "amount",
  'block', json_build_object('number', "block", 'hash', "blockHash",
    'timestamp', to_char("blockTime" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
  'transaction', "transaction", 'transactionIndex', "transactionIndex", 'logIndex', "logIndex")`

/**
 * The same page with its records as the JSON of a response, written by the database: reading and writing it here would
 * take a fifth of what the request costs.
 */
export async function listWrittenTransfers(context: Context, query: TransferQuery): Promise<WrittenPage> {
  const { page, total, cursor } = writeQuery(context, query)
  const { limit } = query
  const [answer] = await context.db.query<{
    written: string
    found: number
    last: number[] | null
    total: number | null
  }>(sql`
    with page as materialized (${page})
    select
      (
        select coalesce(json_strip_nulls(json_agg(${record})), '[]')::text
        from (select * from page limit ${limit}) shown
      ) as written,
      (select count(*) from page) as found,
      (select json_build_array("block", "logIndex", "sub") from page offset ${limit - 1} limit 1) as last,
      ${total} as total`)
  const { written = '[]', found = 0, last } = answer ?? {}
  const number = cursor?.page ?? 0
  return {
    written,
    cursor: found > limit && last ? encodeCursor({ after: last, page: number + 1 }) : undefined,
    page: number,
    total: answer?.total ?? undefined,
  }
}

/** The rows of a page and one more, and the number of all. */
function writeQuery({ config }: Context, query: TransferQuery) {
  const { limit, offset = 0, order = 'desc' } = query
  const cursor = query.cursor ? decodeCursor(query.cursor, ['number', 'number', 'number']) : undefined
  const table = sql.table(config.indexer.transferClass)
  // The direction of absent values is that of the index.
  const way = order === 'desc' ? sql`desc nulls last` : sql`asc nulls first`
  const ordered = sql`order by "block" ${way}, "logIndex" ${way}, "sub" ${way}`
  const wanted = writeConditions(query)
  const onPage = cursor ? sql` and ${isAfter(cursor.after, order)}` : sql``
  const most = sql.param(limit + 1 + offset)
  const sides = writeSides(query)
  const found = sides.map(
    (side) => sql`(select ${columns} from ${table} where ${wanted}${side}${onPage} ${ordered} limit ${most})`,
  )
  // Without a name, and so planned for these values: what is quick for most addresses sorts a million rows of a busy one.
  const page = sql`
    select * from (${sql.join(found, ' union all ')}) found ${ordered} limit ${limit + 1} offset ${offset}`
  const mostTotal = sql.param(mostCounted)
  const counted = sides.map((side) => sql`(select 1 from ${table} where ${wanted}${side} limit ${mostTotal})`)
  const total = query.count
    ? sql`(select least(count(*), ${mostTotal}) from (${sql.join(counted, ' union all ')}) counted)`
    : sql`null`
  return { page, total, cursor }
}

type JsonRow = Omit<TransferRow, 'blockTime'> & { blockTime: string }

/** Conditions with one index each; a transfer to oneself is found once. */
function writeSides({ address, direction = 'both' }: TransferQuery): Fragment[] {
  if (address === undefined) return [sql``]
  const named = sql.param(address)
  const from = sql` and "from" = ${named}`
  if (direction === 'from') return [from]
  const to = sql` and "to" = ${named}`
  return direction === 'to' ? [to] : [from, sql`${to} and "from" <> "to"`]
}

/** Conditions shared by page, count and both directions. Each value is bound once. */
function writeConditions(query: TransferQuery): Fragment {
  const { chain, kinds, tokens, tokenId, fromBlock, toBlock, fromTime, toTime } = query
  const wanted = [sql`"chain" = ${sql.param(chain)}`]
  // In the words of the index that holds collectibles alone.
  if (!kinds.includes('erc20')) wanted.push(sql`"kind" <> 'erc20'`)
  // Without a filter by kind, sent transfers are counted by an index-only scan.
  else if (!transferKinds.every((kind) => kinds.includes(kind))) wanted.push(sql`"kind" = any(${sql.param(kinds)})`)
  if (tokens?.length === 1) wanted.push(sql`"token" = ${sql.param(tokens[0])}`)
  else if (tokens) wanted.push(sql`"token" = any(${sql.param(tokens)})`)
  if (tokenId !== undefined) wanted.push(sql`"tokenId" = ${sql.param(tokenId)}`)
  if (fromBlock !== undefined) wanted.push(sql`"block" >= ${sql.param(fromBlock)}`)
  if (toBlock !== undefined) wanted.push(sql`"block" <= ${sql.param(toBlock)}`)
  if (fromTime) wanted.push(sql`"blockTime" >= ${sql.param(fromTime)}`)
  if (toTime) wanted.push(sql`"blockTime" <= ${sql.param(toTime)}`)
  return sql.join(wanted, ' and ')
}

/** Compares the first value separately, since the index serves no comparison of several. */
function isAfter([block, logIndex, sub]: (string | number)[], order: 'asc' | 'desc'): Fragment {
  const sign = order === 'asc' ? sql`>` : sql`<`
  const [edge, second, third] = [sql.param(block), sql.param(logIndex), sql.param(sub)]
  return sql`"block" ${sign}= ${edge} and
    ("block", "logIndex", "sub") ${sign} (${edge}::float8, ${second}::float8, ${third}::float8)`
}
