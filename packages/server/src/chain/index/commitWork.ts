import { isUniqueViolation } from '../../db/databaseErrors.ts'
import { type Follower, leaseEnd } from './Follower.ts'
import { LeaseLost } from './LeaseLost.ts'
import type { ReadTransfers } from './readTransfers.ts'
import type { Transaction } from './Transaction.ts'
import type { Work } from './Work.ts'
import { writeTransactions } from './writeTransactions.ts'
import { writeTransfers } from './writeTransfers.ts'

/** What was read of a stretch of blocks. */
export type ReadBlocks = ReadTransfers & { from: number; to: number; transactions: Transaction[] }

/** Writes what was read from `from` to `to`, and that it was read, in one: a crash leaves both or neither. */
export async function commitWork(
  follower: Follower,
  work: Work,
  { from, to, transfers, times, transactions }: ReadBlocks,
): Promise<void> {
  const { context, chain, className, runner } = follower
  const { db, clock } = context
  const write = async (allNew: boolean) => {
    // What happened long ago is no news to anyone who listens.
    await db.query({ text: `select set_config('countersign.quiet', 'on', true)` })
    const moved = await db.query({
      name: 'chain-move-work',
      text: `update countersign.chain_work set next = $4::bigint + 1, lease_until = $5, failures = 0, error = null,
               ended = case when last = $4 then $6::timestamptz end
             where id = $1 and runner = $2 and next = $3 and last >= $4 returning 1`,
      values: [work.id, runner, from, to, leaseEnd(follower), clock.now()],
    })
    if (moved.length === 0) throw new LeaseLost('Another process reads these blocks.')
    await writeTransfers({ db, className, chain: chain.id, allNew }, transfers, times)
    await writeTransactions({ db, chain: chain.id }, transactions)
  }
  // Whoever reads all reads each block once, unless it did so before and was told to stop in between.
  await db
    .transaction(() => write(work.kind === 'all'))
    .catch((error) => {
      if (!isUniqueViolation(error)) throw error
      return db.transaction(() => write(false))
    })
  await noteProgress(follower, to - from + 1, transfers.length)
}

/** For the estimate alone: outside the transaction, in which others would wait for the row. */
async function noteProgress({ context, chain }: Follower, blocks: number, transfers: number): Promise<void> {
  const slot = new Date(Math.floor(context.clock.now().getTime() / 10_000) * 10_000)
  await context.db.query({
    name: 'chain-note-progress',
    text: `insert into countersign.chain_progress as p values ($1, $2, $3, $4)
           on conflict (chain, slot) do update
           set blocks = p.blocks + excluded.blocks, transfers = p.transfers + excluded.transfers`,
    values: [chain.id, slot, blocks, transfers],
  })
}
