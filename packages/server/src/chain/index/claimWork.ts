import { type Follower, leaseEnd } from './Follower.ts'
import type { Work } from './Work.ts'

/** Takes the earliest stretch that nobody works on. */
export async function claimWork(follower: Follower): Promise<Work | undefined> {
  const { context, chain, runner } = follower
  const [work] = await context.db.query<Work>({
    name: 'chain-claim-work',
    text: `with free as (
             select id from countersign.chain_work
             where chain = $1 and next <= last and due <= $2 and (lease_until is null or lease_until <= $2)
             order by first, id limit 1 for update skip locked
           )
           update countersign.chain_work w set runner = $3, lease_until = $4 from free where w.id = free.id
           returning w.id, w.kind, w.addresses, w.first, w.next, w.last, w.failures`,
    values: [chain.id, context.clock.now(), runner, leaseEnd(follower)],
  })
  return work
}

/** Keeps for longer what this process works on. */
export async function renewWork(follower: Follower): Promise<void> {
  const { context, chain, runner } = follower
  await context.db.query({
    text: `update countersign.chain_work set lease_until = $3
           where chain = $1 and runner = $2 and next <= last and lease_until > $4`,
    values: [chain.id, runner, leaseEnd(follower), context.clock.now()],
  })
}

/** Gives a stretch back, for now or for later. */
export async function releaseWork(
  { context, runner }: Follower,
  { id }: Work,
  failure?: { message: string; delay: number },
): Promise<void> {
  await context.db.query({
    text: `update countersign.chain_work set runner = null, lease_until = null, error = $3, due = coalesce($4, due),
             failures = case when $3::text is null then failures else failures + 1 end
           where id = $1 and runner = $2`,
    values: [
      id,
      runner,
      failure?.message.slice(0, 1_000) ?? null,
      failure ? new Date(context.clock.now().getTime() + failure.delay) : null,
    ],
  })
}
