import { type IndexSettings, indexOff } from '../../config/chainSettings.ts'
import type { Context } from '../../context/Context.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import type { Chain } from '../nodes/Chain.ts'

/** How far a chain was followed. */
export type ChainState = { tip: number; tip_hash: string; finalized: number; head: number; error: string | null }

/** Reported when a tip, the sources or the open work of a chain changed: what `findCoverage` reads. */
export const indexProgress = 'chain index progress'

const columns = sql`tip, tip_hash, finalized, head, error`

/**
 * Claims or keeps the chain for this process, or returns undefined if another indexes it. Begins at the finalized
 * block; `begin` is called with it, in the transaction.
 */
export async function claimChain(
  follower: Follower,
  begin: (block: number) => Promise<void>,
): Promise<ChainState | undefined> {
  const { context, chain, runner } = follower
  const { db, clock } = context
  const now = clock.now()
  const claim = () =>
    db.query<ChainState>(sql.named('chain-claim')`
      update countersign.chain_state set runner = ${runner}, lease_until = ${leaseEnd(follower)}
      where chain = ${chain.id} and (runner = ${runner} or lease_until is null or lease_until <= ${now})
      returning ${columns}`)
  const [state] = await claim()
  if (state) return state
  const [known] = await db.query(sql`select from countersign.chain_state where chain = ${chain.id}`)
  if (known) return undefined
  const [head, finalized] = [await chain.head({ fresh: true }), await chain.finalized()]
  const start = await chain.block(Math.max(0, finalized))
  const time = new Date(start.timestamp * 1000)
  await db.transaction(async () => {
    const made = await db.query(sql`
      insert into countersign.chain_state (chain, tip, tip_hash, tip_time, head, finalized, updated)
      values (${chain.id}, ${start.number}, ${start.hash}, ${time}, ${head.number}, ${start.number}, ${now})
      on conflict do nothing
      returning 1`)
    // Another process may have begun at another block, above which this one would be in the way.
    if (made.length === 0) return
    await db.query(sql`
      insert into countersign.chain_blocks
      values (${chain.id}, ${start.number}, ${start.hash}, ${time})
      on conflict do nothing`)
    await begin(start.number)
    db.reportChange(indexProgress)
  })
  return (await claim())[0]
}

export type Tip = { number: number; hash: string; timestamp: number }

/** The newest block that was read. */
export async function getTip({ context, chain }: Follower): Promise<Tip> {
  const [tip] = await context.db.query<{ number: number; hash: string; time: Date }>(sql`
    select tip as number, tip_hash as hash, tip_time as time
    from countersign.chain_state
    where chain = ${chain.id}`)
  if (!tip) throw new Error('The chain is not indexed.')
  return { number: tip.number, hash: tip.hash, timestamp: tip.time.getTime() / 1000 }
}

/** Blocks that were read and may still be undone, from `first` on. */
export function listOpenBlocks(
  { context, chain }: Follower,
  { tip, finalized }: ChainState,
  first: number,
): Promise<{ number: number; hash: `0x${string}`; time: Date }[]> {
  return context.db.query(sql`
    select number, hash, time from countersign.chain_blocks
    where chain = ${chain.id} and number > ${Math.min(tip, finalized)} and number >= ${first}
    order by number`)
}

/**
 * Moves the tip in the open transaction, from this process's last known tip: a process that lost the chain is rejected,
 * and its writes are rolled back.
 */
export async function moveTip(
  follower: Follower,
  from: Pick<ChainState, 'tip_hash'>,
  to: Tip,
  seen: { head: number; finalized: number },
): Promise<ChainState> {
  const { context, chain, runner } = follower
  const [state] = await context.db.query<ChainState>(sql.named('chain-move-tip')`
    update countersign.chain_state set
      tip = ${to.number}, tip_hash = ${to.hash}, tip_time = to_timestamp(${to.timestamp}),
      head = ${seen.head}, finalized = greatest(finalized, ${seen.finalized}),
      lease_until = ${leaseEnd(follower)}, updated = ${context.clock.now()}, error = null
    where chain = ${chain.id} and runner = ${runner} and tip_hash = ${from.tip_hash}
    returning ${columns}`)
  if (!state) throw new LeaseLost('Another process indexes this chain.')
  context.db.reportChange(indexProgress)
  return state
}

/** Writes down what is seen of the chain although nothing moved, or what keeps it from moving. */
export async function noteState(
  { context, chain, runner }: Follower,
  { error, seen }: { error: string | null; seen?: { head: number; finalized: number } },
): Promise<void> {
  await context.db.query(sql`
    update countersign.chain_state set
      error = ${error}, updated = ${context.clock.now()},
      head = coalesce(${seen?.head ?? null}, head),
      finalized = greatest(finalized, coalesce(${seen?.finalized ?? null}, finalized))
    where chain = ${chain.id} and runner = ${runner}`)
}

/** Another process took over what this one worked on. Nothing of it was written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** A stretch of final blocks that is to be read, and for whom. */
export type Work = {
  id: number
  kind: 'all' | 'contract' | 'address' | 'watched' | 'transactions' | 'events' | 'factory'
  addresses: string[]
  /** Of `events` and `factory`: what is looked for. */
  syncs: string[]
  first: number
  next: number
  last: number
  failures: number
}

/** State shared by everything that reads one chain into the database. */
export type Follower = {
  context: Context
  chain: Chain
  settings: IndexSettings
  /** The class of transfers. Absent where only events of contracts are kept. */
  className: string | undefined
  /** This process, among all that work on the same database. */
  runner: string
}

/** Milliseconds after which a process that fell silent, or was killed, has lost what it worked on. */
export const leaseLength = 10_000

export function leaseEnd({ context }: Follower): Date {
  return new Date(context.clock.now().getTime() + leaseLength)
}

/** Keeps the chain, and what is read of it, for longer. A lease that ran out is not renewed: another may hold it. */
export async function renewLeases(follower: Follower): Promise<void> {
  const { context, chain, runner } = follower
  const [now, end] = [context.clock.now(), leaseEnd(follower)]
  await context.db.query(sql.named('chain-renew')`
    with work as (
      update countersign.chain_work set lease_until = ${end}
      where chain = ${chain.id} and runner = ${runner} and next <= last and lease_until > ${now}
    )
    update countersign.chain_state set lease_until = ${end}
    where chain = ${chain.id} and runner = ${runner} and lease_until > ${now}`)
}

/**
 * SQL: whether a process follows the chain of `state` (a row of `chain_state`) and saw its head just now. Where none does,
 * the tip is that of some time ago, and nothing is up to date, whatever it was then.
 */
export function isFollowedNow({ config, clock }: Pick<Context, 'config' | 'clock'>, state: Fragment): Fragment {
  const now = clock.now()
  const since = (interval: number) => new Date(now.getTime() - interval - leaseLength)
  const chains = sql`unnest(
    ${config.chains.map(({ id }) => id)}::bigint[],
    ${config.chains.map(({ index }) => since((index ?? indexOff).pollInterval))}::timestamptz[]) as given (chain, since)`
  return sql`coalesce(${state}.lease_until > ${now} and ${state}.error is null and ${state}.updated > coalesce(
    (select given.since from ${chains} where given.chain = ${state}.chain), ${since(indexOff.pollInterval)}), false)`
}
