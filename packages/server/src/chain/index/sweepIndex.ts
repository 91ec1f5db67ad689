import type { Follower } from './Follower.ts'

/** What was read long ago says nothing of the time left. */
const kept = 24 * 3_600_000

/** Forgets stretches that were read, once all of a chain are, and old marks of progress. */
export async function sweepIndex({ context, chain }: Follower): Promise<void> {
  const { db, clock } = context
  const before = new Date(clock.now().getTime() - kept)
  await db.query({
    text: `delete from countersign.chain_work where chain = $1 and next > last and (ended is null or ended < $2)
             and not exists (select from countersign.chain_work w where w.chain = $1 and w.next <= w.last)`,
    values: [chain.id, before],
  })
  await db.query({
    text: 'delete from countersign.chain_progress where chain = $1 and slot < $2',
    values: [chain.id, before],
  })
}
