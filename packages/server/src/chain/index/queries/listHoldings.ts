import type { Context } from '../../../context/Context.ts'
import { type Fragment, sql } from '../../../db/sql.ts'
import { zeroAddress } from '../Transfer.ts'
import { decodeCursor, mostCounted, type Page, type PageQuery, pageOf } from './Page.ts'

/** Holdings of an owner, or holders of a token: one of the two is given. */
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
  const wanted = [sql`h.chain = ${chain}`, sql`h.amount > 0`]
  if (owner !== undefined) wanted.push(sql`h.owner = ${owner}`)
  if (tokens?.length === 1) wanted.push(sql`h.token = ${tokens[0]}`)
  else if (tokens) wanted.push(sql`h.token = any(${tokens})`)
  if (tokenId !== undefined) wanted.push(sql`h.id = ${tokenId}::numeric`)
  const all = sql.join(wanted, ' and ')
  const total = query.count ? await countHoldings(context, all) : undefined
  const [token, id, holder] = cursor?.after ?? []
  const after = cursor ? sql` and (h.token, h.id, h.owner) > (${token}::text, ${id}::numeric, ${holder}::text)` : sql``
  const rows = await db.query<HoldingRow>(sql`
    select h.token, h.id::text as "tokenId", h.owner, h.kind, h.amount::text, h.block, t.name, t.symbol,
      n.uri, n.uri_read as "uriRead", n.metadata, n.metadata_read as "metadataRead",
      (
        select min(f."block") from ${sql.table(config.indexer.transferClass)} f
        where f."token" = h.token and f."tokenId" = h.id::text and f."chain" = h.chain and f."kind" <> 'erc20'
          and f."from" = ${zeroAddress}
      ) as minted
    from (
      select * from countersign.chain_holdings h
      where ${all}${after}
      order by h.token, h.id, h.owner
      limit ${limit + 1} offset ${offset}
    ) h
    left join countersign.chain_tokens t on t.chain = h.chain and t.token = h.token
    left join countersign.chain_nfts n on n.chain = h.chain and n.token = h.token and n.id = h.id
    order by h.token, h.id, h.owner`)
  const place = (row: HoldingRow) => [row.token, row.tokenId, row.owner]
  return pageOf(rows, limit, { page: cursor?.page ?? 0, total, place })
}

async function countHoldings({ db }: Context, wanted: Fragment): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from (
      select 1 from countersign.chain_holdings h where ${wanted} limit ${mostCounted}
    ) found`)
  return row?.count ?? 0
}

export type CollectionRow = { token: string; kind: 'erc721' | 'erc1155'; name: string | null; symbol: string | null }

/** The contracts of whose collectibles an owner holds any. */
export async function listCollections(
  { db }: Context,
  query: PageQuery & { chain: number; owner: string },
): Promise<Page<CollectionRow>> {
  const { chain, owner, limit, offset = 0 } = query
  const cursor = query.cursor ? decodeCursor(query.cursor, ['address']) : undefined
  const rows = await db.query<CollectionRow & { total: number }>(sql`
    select h.token, h.kind, h.total, t.name, t.symbol
    from (
      select token, max(kind) as kind, count(*) over () as total
      from countersign.chain_holdings
      where chain = ${chain} and owner = ${owner} and amount > 0
      group by token
    ) h
    left join countersign.chain_tokens t on t.chain = ${chain} and t.token = h.token
    where h.token > ${cursor?.after[0] ?? ''}
    order by h.token
    limit ${limit + 1} offset ${offset}`)
  const total = query.count ? (rows[0]?.total ?? 0) : undefined
  return pageOf(rows, limit, { page: cursor?.page ?? 0, total, place: ({ token }) => [token] })
}

export type TokenIdRow = {
  tokenId: string
  kind: 'erc721' | 'erc1155'
  /** How much of it all owners hold together. */
  amount: string
  uri: string | null
  metadata: unknown
  metadataRead: Date | null
}

/** Token IDs of an NFT contract that have an owner. */
export async function listTokenIds(
  { db }: Context,
  query: PageQuery & { chain: number; token: string },
): Promise<Page<TokenIdRow>> {
  const { chain, token, limit, offset = 0 } = query
  const cursor = query.cursor ? decodeCursor(query.cursor, ['decimal']) : undefined
  const rows = await db.query<TokenIdRow>(sql`
    select h.id::text as "tokenId", h.kind, h.amount::text, n.uri, n.metadata, n.metadata_read as "metadataRead"
    from (
      select id, max(kind) as kind, sum(amount) as amount
      from countersign.chain_holdings
      where chain = ${chain} and token = ${token} and amount > 0 and id > ${cursor?.after[0] ?? '-1'}::numeric
      group by id
      order by id
      limit ${limit + 1} offset ${offset}
    ) h
    left join countersign.chain_nfts n on n.chain = ${chain} and n.token = ${token} and n.id = h.id
    order by h.id`)
  const total = query.count ? await countTokenIds({ db }, chain, token) : undefined
  return pageOf(rows, limit, { page: cursor?.page ?? 0, total, place: ({ tokenId }) => [tokenId] })
}

async function countTokenIds({ db }: Pick<Context, 'db'>, chain: number, token: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from (
      select distinct id from countersign.chain_holdings
      where chain = ${chain} and token = ${token} and amount > 0
      limit ${mostCounted}
    ) found`)
  return row?.count ?? 0
}

export type TokenRow = { token: string; name: string | null; symbol: string; decimals: number }

/** Tokens that were met with and have one of the symbols, in any case. Symbols belong to nobody: there may be many. */
export async function listTokensBySymbol(
  { db }: Context,
  chain: number,
  symbols: readonly string[],
  limit: number,
): Promise<TokenRow[]> {
  return db.query<TokenRow>(sql.named('chain-tokens-by-symbol')`
    select token, name, symbol, decimals from countersign.chain_tokens
    where chain = ${chain} and decimals is not null
      and upper(symbol) collate "C" = any(${symbols.map((symbol) => symbol.toUpperCase())})
    order by upper(symbol) collate "C", token
    limit ${limit}`)
}

/** ERC-20 tokens that an address ever touched. The balance comes from each contract. */
export async function listTouchedTokens(
  { db }: Context,
  chain: number,
  owner: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ token: string }>(sql.named('chain-touched')`
    select token from countersign.chain_touched
    where chain = ${chain} and owner = ${owner}
    order by token
    limit ${limit}`)
  return rows.map(({ token }) => token)
}
