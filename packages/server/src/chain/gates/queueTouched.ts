import type { Context } from '../../context/Context.ts'
import { tableOf } from '../../db/createBindings.ts'

type Moved = { chain: number; seen: number; isKnown: boolean; tip: number; hash: string }

/**
 * Queues the users of wallets that transfers of gated tokens touched since the last look, from what the indexer keeps.
 * Where blocks were undone, every wallet is looked at.
 */
export async function queueTouched({ db, classes, config }: Context): Promise<void> {
  const { transferClass } = config.indexer
  if (!classes.find(transferClass)) return
  await db.transaction(async () => {
    await db.query({
      text: `insert into countersign.gate_chains (chain, tip, hash)
             select chain, tip, tip_hash from countersign.chain_state s
             where exists (select from countersign.gates g where g.chain = s.chain)
               and not exists (select from countersign.gate_chains c where c.chain = s.chain)
             on conflict do nothing`,
    })
    const moved = await db.query<Moved>({
      text: `select c.chain, c.tip as seen, s.tip, s.tip_hash as hash, exists (
               select from countersign.chain_blocks b where b.chain = c.chain and b.number = c.tip and b.hash = c.hash
             ) as "isKnown"
             from countersign.gate_chains c join countersign.chain_state s using (chain)
             where c.hash <> s.tip_hash for update of c skip locked`,
    })
    for (const { chain, seen, isKnown, tip, hash } of moved) {
      if (!isKnown) {
        await db.query({
          text: `update countersign.gates set due = '-infinity' where chain = $1`,
          values: [chain],
        })
        // What was read of a block that is gone is no newer than what is read now.
        await db.query({
          text: `update countersign.gate_holders h set block = $2 from countersign.gates g
                 where g."objectId" = h.gate and g.chain = $1 and h.block > $2`,
          values: [chain, tip],
        })
      }
      await db.query({
        text: `insert into countersign.gate_queue as known ("user")
               select distinct w."user" from ${tableOf(transferClass)} t
                 join countersign.gates g on g.chain = t."chain" and g.token = t."token"
                 cross join unnest(array[t."from", t."to"]) as side (address)
                 join countersign.wallets w
                   on w.key in ('eip155:' || side.address, 'eip155:' || g.chain || ':' || side.address)
               where t."chain" = $1 and t."block" > $2
               on conflict ("user") do update set version = default, due = '-infinity'`,
        values: [chain, Math.min(seen, tip)],
      })
      await db.query({
        text: 'update countersign.gate_chains set tip = $2, hash = $3 where chain = $1',
        values: [chain, tip, hash],
      })
    }
  })
}
