import { type Follower, leaseEnd } from './Follower.ts'
import { LeaseLost } from './LeaseLost.ts'

/** How far a chain was followed. */
export type ChainState = { tip: number; tip_hash: string; finalized: number; head: number; error: string | null }

const columns = 'tip, tip_hash, finalized, head, error'

/** Takes or keeps the chain for this process, or answers nothing: another follows it. Begins at what is final. */
export async function claimChain(follower: Follower): Promise<ChainState | undefined> {
  const { context, chain, runner } = follower
  const { db, clock } = context
  const now = clock.now()
  const claim = () =>
    db.query<ChainState>({
      name: 'chain-claim',
      text: `update countersign.chain_state set runner = $2, lease_until = $3
             where chain = $1 and (runner = $2 or lease_until is null or lease_until <= $4) returning ${columns}`,
      values: [chain.id, runner, leaseEnd(follower), now],
    })
  const [state] = await claim()
  if (state) return state
  const [known] = await db.query({ text: 'select from countersign.chain_state where chain = $1', values: [chain.id] })
  if (known) return undefined
  const [head, finalized] = [await chain.head({ fresh: true }), await chain.finalized()]
  const start = await chain.block(Math.max(0, finalized))
  const time = new Date(start.timestamp * 1000)
  await db.transaction(async () => {
    await db.query({
      text: `insert into countersign.chain_state (chain, tip, tip_hash, tip_time, head, finalized, updated)
             values ($1, $2, $3, $4, $5, $2, $6) on conflict do nothing`,
      values: [chain.id, start.number, start.hash, time, head.number, now],
    })
    await db.query({
      text: 'insert into countersign.chain_blocks values ($1, $2, $3, $4) on conflict do nothing',
      values: [chain.id, start.number, start.hash, time],
    })
  })
  return (await claim())[0]
}

export type Tip = { number: number; hash: string; timestamp: number }

/**
 * Moves the tip in the open transaction, from where this process knows it to be: whoever lost the chain meanwhile is
 * refused, and what it was about to write is undone.
 */
export async function moveTip(
  follower: Follower,
  from: Pick<ChainState, 'tip_hash'>,
  to: Tip,
  seen: { head: number; finalized: number },
): Promise<ChainState> {
  const { context, chain, runner } = follower
  const [state] = await context.db.query<ChainState>({
    name: 'chain-move-tip',
    text: `update countersign.chain_state set tip = $4, tip_hash = $5, tip_time = to_timestamp($6), head = $7,
             finalized = greatest(finalized, $8), lease_until = $9, updated = $10, error = null
           where chain = $1 and runner = $2 and tip_hash = $3 returning ${columns}`,
    values: [
      chain.id,
      runner,
      from.tip_hash,
      to.number,
      to.hash,
      to.timestamp,
      seen.head,
      seen.finalized,
      leaseEnd(follower),
      context.clock.now(),
    ],
  })
  if (!state) throw new LeaseLost('Another process follows the chain.')
  return state
}

/** Writes down what is seen of the chain although nothing moved, or what keeps it from moving. */
export async function noteState(
  { context, chain, runner }: Follower,
  { error, seen }: { error: string | null; seen?: { head: number; finalized: number } },
): Promise<void> {
  await context.db.query({
    text: `update countersign.chain_state set error = $3, head = coalesce($4, head), updated = $6,
             finalized = greatest(finalized, coalesce($5, finalized))
           where chain = $1 and runner = $2`,
    values: [chain.id, runner, error, seen?.head ?? null, seen?.finalized ?? null, context.clock.now()],
  })
}
