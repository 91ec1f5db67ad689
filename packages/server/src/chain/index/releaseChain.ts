import type { Follower } from './Follower.ts'

/** Lets another process follow the chain at once. */
export async function releaseChain({ context, chain, runner }: Follower): Promise<void> {
  await context.db.query({
    text: 'update countersign.chain_state set runner = null, lease_until = null where chain = $1 and runner = $2',
    values: [chain.id, runner],
  })
}
