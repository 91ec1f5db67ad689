import type { Context } from '../../context/Context.ts'
import type { Holding } from './readHoldings.ts'

/** Writes down who holds enough and who does not, and gives and takes roles by that. */
export async function writeHoldings(context: Context, holdings: readonly Holding[], block: number): Promise<void> {
  const { db, clock, config } = context
  // A chain may begin anew, and a node may once have named a block that never was: that holds for a while, not for ever.
  const stale = new Date(clock.now().getTime() - config.gates.patience * 1000)
  const enough = holdings.filter(({ gate, amount }) => amount >= gate.amount)
  const short = holdings.filter(({ gate, amount }) => amount < gate.amount)
  const changed = await db.transaction(async () => {
    await db.query({
      text: `insert into countersign.gate_holders as known (gate, wallet, held, amount, block, seen)
             select g."objectId", w.key, true, given.amount, $4, $5
             from unnest($1::text[], $2::text[], $3::numeric[]) as given (gate, wallet, amount)
             join countersign.gates g on g."objectId" = given.gate
             join countersign.wallets w on w.key = given.wallet
             on conflict (gate, wallet) do update set held = true, amount = excluded.amount,
               block = excluded.block, seen = excluded.seen
             where known.block <= excluded.block or known.seen < $6`,
      values: [...columns(enough), block, clock.now(), stale],
    })
    await db.query({
      text: `update countersign.gate_holders h set held = false, amount = given.amount, block = $4, seen = $5
             from unnest($1::text[], $2::text[], $3::numeric[]) as given (gate, wallet, amount)
             where h.gate = given.gate and h.wallet = given.wallet and h.held and (h.block <= $4 or h.seen < $6)`,
      values: [...columns(short), block, clock.now(), stale],
    })
    const users = [...new Set(holdings.map(({ wallet }) => wallet.user))]
    return refreshMembers(context, users)
  })
  if (changed > 0) context.log.info({ changed }, 'members of gated roles changed')
}

const columns = (holdings: readonly Holding[]) => [
  holdings.map(({ gate }) => gate.objectId),
  holdings.map(({ wallet }) => wallet.key),
  holdings.map(({ amount }) => String(amount)),
]

/** Members as the holders say, of all users unless some are given. Answers how many came or went. */
export async function refreshMembers({ db, roleCache }: Context, users?: string[]): Promise<number> {
  const [row] = await db.query<{ changed: number }>({
    text: 'select countersign.refresh_gated($1::text[], null) as changed',
    values: [users ?? null],
  })
  const changed = row?.changed ?? 0
  if (changed > 0) await db.afterCommit(() => roleCache.forgetAll())
  return changed
}
