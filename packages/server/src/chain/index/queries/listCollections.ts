import type { Context } from '../../../context/Context.ts'
import { decodeCursor } from './cursor.ts'
import { type Page, type PageQuery, pageOf } from './Page.ts'

export type CollectionRow = { token: string; kind: 'erc721' | 'erc1155'; name: string | null; symbol: string | null }

/** The contracts of whose collectibles an owner holds any. */
export async function listCollections(
  { db }: Context,
  query: PageQuery & { chain: number; owner: string },
): Promise<Page<CollectionRow>> {
  const { chain, owner, limit, offset = 0 } = query
  const cursor = query.cursor ? decodeCursor(query.cursor, ['address']) : undefined
  const rows = await db.query<CollectionRow & { total: number }>({
    text: `select h.token, h.kind, h.total, t.name, t.symbol from (
             select token, max(kind) as kind, count(*) over () as total from countersign.chain_holdings
             where chain = $1 and owner = $2 and amount > 0 group by token
           ) h left join countersign.chain_tokens t on t.chain = $1 and t.token = h.token
           where h.token > $3 order by h.token limit $4 offset $5`,
    values: [chain, owner, cursor?.after[0] ?? '', limit + 1, offset],
  })
  const total = query.count ? (rows[0]?.total ?? 0) : undefined
  return pageOf(rows, limit, { page: cursor?.page ?? 0, total, place: ({ token }) => [token] })
}
