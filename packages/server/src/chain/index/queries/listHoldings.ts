import type { Context } from '../../../context/Context.ts'
import { createBindings, tableOf } from '../../../db/createBindings.ts'
import { zeroAddress } from '../Transfer.ts'
import { decodeCursor } from './cursor.ts'
import { mostCounted, type Page, type PageQuery, pageOf } from './Page.ts'

/** What an owner holds, or who holds a token: one of the two is named. */
export type HoldingQuery = PageQuery & {
  chain: number
  owner?: string | undefined
  tokens?: readonly string[] | undefined
  tokenId?: string | undefined
}

export type HoldingRow = {
  token: string
  tokenId: string
  owner: string
  kind: 'erc721' | 'erc1155'
  amount: string
  /** Of the newest transfer from or to the owner, and of the first one of all. */
  block: number
  minted: number | null
  name: string | null
  symbol: string | null
  uri: string | null
  uriRead: Date | null
  metadata: unknown
  metadataRead: Date | null
}

/** Collectibles with their owners, by token, id and owner. */
export async function listHoldings(context: Context, query: HoldingQuery): Promise<Page<HoldingRow>> {
  const { db, config } = context
  const { chain, owner, tokens, tokenId, limit, offset = 0 } = query
  const cursor = query.cursor ? decodeCursor(query.cursor, ['address', 'decimal', 'address']) : undefined
  const { bind, values } = createBindings()
  const wanted = [`h.chain = ${bind(chain)}`, 'h.amount > 0']
  if (owner !== undefined) wanted.push(`h.owner = ${bind(owner)}`)
  if (tokens?.length === 1) wanted.push(`h.token = ${bind(tokens[0])}`)
  else if (tokens) wanted.push(`h.token = any(${bind(tokens)})`)
  if (tokenId !== undefined) wanted.push(`h.id = ${bind(tokenId)}::numeric`)
  const all = wanted.join(' and ')
  const total = query.count ? await count(context, all, values) : undefined
  const [token, id, holder] = cursor?.after ?? []
  const after = cursor
    ? ` and (h.token, h.id, h.owner) > (${bind(token)}::text, ${bind(id)}::numeric, ${bind(holder)}::text)`
    : ''
  const rows = await db.query<HoldingRow>({
    text: `select h.token, h.id::text as "tokenId", h.owner, h.kind, h.amount::text, h.block, t.name, t.symbol, n.uri,
             n.uri_read as "uriRead", n.metadata, n.metadata_read as "metadataRead",
             (select min(f."block") from ${tableOf(config.indexer.transferClass)} f
              where f."token" = h.token and f."tokenId" = h.id::text and f."chain" = h.chain and f."kind" <> 'erc20'
                and f."from" = '${zeroAddress}') as minted
           from (
             select * from countersign.chain_holdings h where ${all}${after}
             order by h.token, h.id, h.owner limit ${bind(limit + 1)} offset ${bind(offset)}
           ) h
           left join countersign.chain_tokens t on t.chain = h.chain and t.token = h.token
           left join countersign.chain_nfts n on n.chain = h.chain and n.token = h.token and n.id = h.id
           order by h.token, h.id, h.owner`,
    values,
  })
  const place = (row: HoldingRow) => [row.token, row.tokenId, row.owner]
  return pageOf(rows, limit, { page: cursor?.page ?? 0, total, place })
}

async function count({ db }: Context, wanted: string, values: readonly unknown[]): Promise<number> {
  const [row] = await db.query<{ count: number }>({
    text: `select count(*) as count from (
             select 1 from countersign.chain_holdings h where ${wanted} limit ${mostCounted}
           ) found`,
    values: [...values],
  })
  return row?.count ?? 0
}
