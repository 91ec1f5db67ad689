import type { Context } from '../../../context/Context.ts'
import { decodeCursor } from './cursor.ts'
import { mostCounted, type Page, type PageQuery, pageOf } from './Page.ts'

export type TokenIdRow = {
  tokenId: string
  kind: 'erc721' | 'erc1155'
  /** How much of it all owners hold together. */
  amount: string
  uri: string | null
  metadata: unknown
  metadataRead: Date | null
}

/** The ids of a contract that somebody holds. */
export async function listTokenIds(
  { db }: Context,
  query: PageQuery & { chain: number; token: string },
): Promise<Page<TokenIdRow>> {
  const { chain, token, limit, offset = 0 } = query
  const cursor = query.cursor ? decodeCursor(query.cursor, ['decimal']) : undefined
  const rows = await db.query<TokenIdRow>({
    text: `select h.id::text as "tokenId", h.kind, h.amount::text, n.uri, n.metadata, n.metadata_read as "metadataRead"
           from (
             select id, max(kind) as kind, sum(amount) as amount from countersign.chain_holdings
             where chain = $1 and token = $2 and amount > 0 and id > $3::numeric
             group by id order by id limit $4 offset $5
           ) h
           left join countersign.chain_nfts n on n.chain = $1 and n.token = $2 and n.id = h.id
           order by h.id`,
    values: [chain, token, cursor?.after[0] ?? '-1', limit + 1, offset],
  })
  const total = query.count ? await count({ db }, chain, token) : undefined
  return pageOf(rows, limit, { page: cursor?.page ?? 0, total, place: ({ tokenId }) => [tokenId] })
}

async function count({ db }: Pick<Context, 'db'>, chain: number, token: string): Promise<number> {
  const [row] = await db.query<{ count: number }>({
    text: `select count(*) as count from (
             select distinct id from countersign.chain_holdings where chain = $1 and token = $2 and amount > 0
             limit ${mostCounted}
           ) found`,
    values: [chain, token],
  })
  return row?.count ?? 0
}
