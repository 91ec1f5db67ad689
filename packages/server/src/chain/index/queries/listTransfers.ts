import type { Context } from '../../../context/Context.ts'
import { type Bindings, createBindings, tableOf } from '../../../db/createBindings.ts'
import type { TransferKind } from '../Transfer.ts'
import { decodeCursor } from './cursor.ts'
import { mostCounted, type Page, type PageQuery, pageOf } from './Page.ts'

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

const columns = `"objectId", "kind", "token", "from", "to", "operator", "tokenId", "amount", "block", "blockHash",
  "blockTime", "transaction", "transactionIndex", "logIndex", "sub"`

/** Transfers in the order of the chain, the newest first unless asked otherwise. */
export async function listTransfers(context: Context, query: TransferQuery): Promise<Page<TransferRow>> {
  const { db, config } = context
  const { limit, offset = 0, order = 'desc' } = query
  const cursor = query.cursor ? decodeCursor(query.cursor, ['number', 'number', 'number']) : undefined
  const table = tableOf(config.indexer.transferClass)
  // The direction of absent values is that of the index.
  const way = order === 'desc' ? 'desc nulls last' : 'asc nulls first'
  const ordered = `order by "block" ${way}, "logIndex" ${way}, "sub" ${way}`
  const bindings = createBindings()
  const bound = bindings.bind(limit + 1 + offset)
  const found = sidesOf(query).map(
    (side) =>
      `(select ${columns} from ${table} where ${conditions(bindings, query, side, cursor?.after)} ${ordered} limit ${bound})`,
  )
  const page = `select * from (${found.join(' union all ')}) found ${ordered} limit ${bindings.bind(limit + 1)} offset ${bindings.bind(offset)}`
  const total = query.count ? writeCount(bindings, query, table) : 'null'
  // As one JSON value, which is read quicker than columns. Without a name, and so planned for these values: what is quick
  // for most addresses sorts a million rows of a busy one.
  const [answer] = await db.query<{ rows: JsonRow[]; total: number | null }>({
    text: `select (select coalesce(json_agg(_row), '[]') from (${page}) _row) as rows, ${total} as total`,
    values: bindings.values,
  })
  const rows = (answer?.rows ?? []).map((row) => ({ ...row, blockTime: new Date(row.blockTime) }))
  const place = ({ block, logIndex, sub }: TransferRow) => [block, logIndex, sub]
  return pageOf(rows, limit, { page: cursor?.page ?? 0, total: answer?.total ?? undefined, place })
}

type JsonRow = Omit<TransferRow, 'blockTime'> & { blockTime: string }

function writeCount(bindings: Bindings, query: TransferQuery, table: string): string {
  const found = sidesOf(query).map(
    (side) => `(select 1 from ${table} where ${conditions(bindings, query, side, undefined)} limit ${mostCounted})`,
  )
  return `(select least(count(*), ${mostCounted}) from (${found.join(' union all ')}) counted)`
}

type Side = 'from' | 'to' | 'toAlone' | undefined

/** Each side has an index of its own; what someone sent to himself is found once. */
function sidesOf({ address, direction = 'both' }: TransferQuery): Side[] {
  if (address === undefined) return [undefined]
  return direction === 'both' ? ['from', 'toAlone'] : [direction]
}

function conditions(
  { bind }: Bindings,
  query: TransferQuery,
  side: Side,
  after: (string | number)[] | undefined,
): string {
  const { chain, kinds, address, tokens, tokenId, fromBlock, toBlock, fromTime, toTime, order } = query
  const wanted = [`"chain" = ${bind(chain)}`]
  if (kinds.includes('erc20')) wanted.push(`"kind" = any(${bind(kinds)})`)
  // In the words of the index that holds collectibles alone.
  else wanted.push(`"kind" <> 'erc20'`)
  if (side === 'from') wanted.push(`"from" = ${bind(address)}`)
  if (side === 'to' || side === 'toAlone') wanted.push(`"to" = ${bind(address)}`)
  if (side === 'toAlone') wanted.push('"from" <> "to"')
  if (tokens?.length === 1) wanted.push(`"token" = ${bind(tokens[0])}`)
  else if (tokens) wanted.push(`"token" = any(${bind(tokens)})`)
  if (tokenId !== undefined) wanted.push(`"tokenId" = ${bind(tokenId)}`)
  if (fromBlock !== undefined) wanted.push(`"block" >= ${bind(fromBlock)}`)
  if (toBlock !== undefined) wanted.push(`"block" <= ${bind(toBlock)}`)
  if (fromTime) wanted.push(`"blockTime" >= ${bind(fromTime)}`)
  if (toTime) wanted.push(`"blockTime" <= ${bind(toTime)}`)
  if (after) {
    const [edge, sign] = [bind(after[0]), order === 'asc' ? '>' : '<']
    // The first by itself, since the index serves no comparison of several at once.
    wanted.push(`"block" ${sign}= ${edge}`)
    wanted.push(
      `("block", "logIndex", "sub") ${sign} (${edge}::float8, ${bind(after[1])}::float8, ${bind(after[2])}::float8)`,
    )
  }
  return wanted.join(' and ')
}
