import { tableOf } from '../../db/createBindings.ts'
import type { Follower } from './Follower.ts'
import { addHoldings } from './writeTransfers.ts'

/** Takes back what blocks above `ancestor` told, in the open transaction. Listeners hear of it: it was news to them. */
export async function undoBlocks({ context, chain, className }: Follower, ancestor: number): Promise<void> {
  const { db } = context
  const table = tableOf(className)
  const touched = await db.query<{ token: string; id: string; owner: string }>({
    text: `with fresh as (delete from ${table} where "chain" = $1 and "block" > $2 returning *)
           ${addHoldings(-1)} returning token, id::text, owner`,
    values: [chain.id, ancestor],
  })
  if (touched.length > 0) {
    await db.query({
      text: `with last as (
               select h.token, h.id, h.owner, (
                 select max(t."block") from ${table} t where t."token" = h.token and t."tokenId" = h.id::text
                   and t."chain" = $1 and t."kind" <> 'erc20' and (t."from" = h.owner or t."to" = h.owner)
               ) as block
               from unnest($2::text[], $3::numeric[], $4::text[]) as h (token, id, owner)
             ), gone as (
               delete from countersign.chain_holdings h using last
               where h.chain = $1 and h.token = last.token and h.id = last.id and h.owner = last.owner
                 and last.block is null
             )
             update countersign.chain_holdings h set block = last.block from last
             where h.chain = $1 and h.token = last.token and h.id = last.id and h.owner = last.owner
               and last.block is not null`,
      values: [
        chain.id,
        touched.map(({ token }) => token),
        touched.map(({ id }) => id),
        touched.map(({ owner }) => owner),
      ],
    })
  }
  await db.query({
    text: 'delete from countersign.chain_transactions where chain = $1 and block > $2',
    values: [chain.id, ancestor],
  })
  await db.query({
    text: 'delete from countersign.chain_blocks where chain = $1 and number > $2',
    values: [chain.id, ancestor],
  })
  // What is being read of blocks that are gone is refused when it comes to be written.
  await db.query({
    text: 'update countersign.chain_work set last = $2 where chain = $1 and last > $2',
    values: [chain.id, ancestor],
  })
}
