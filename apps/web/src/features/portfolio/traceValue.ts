import { type Holding, keyOfToken } from '../../chain/gatherHoldings.ts'
import type { ChainTransfer } from '../../chain/mergeTransfers.ts'
import type { ValuePoint } from './sumValues.ts'

/**
 * Past value of the wallets' tokens at today's prices: from current holdings back through the known transfers. Excludes
 * the native currency, which moves without token transfers, and tokens without a price.
 */
export function traceValue(
  holdings: readonly Holding[],
  transfers: readonly ChainTransfer[],
  own: ReadonlySet<string>,
  now: number,
): ValuePoint[] {
  const priced = new Map(
    holdings
      .filter(({ token, usd, balance }) => token !== undefined && usd !== undefined && balance > 0n)
      .map(({ key, balance, usd = 0n }) => [key, { balance, usd, past: balance }]),
  )
  if (priced.size === 0) return []
  let value = [...priced.values()].reduce((sum, { usd }) => sum + usd, 0n)
  const points: ValuePoint[] = [{ time: now, value }]
  for (const { chain, kind, token, from, to, amount, block } of transfers) {
    const held = kind === 'erc20' ? priced.get(keyOfToken(chain, token)) : undefined
    if (!held) continue
    const gain = (own.has(to) ? amount : 0n) - (own.has(from) ? amount : 0n)
    if (gain === 0n) continue
    const time = block.timestamp.getTime()
    // Several in one block are one step.
    if (points.at(-1)?.time !== time) points.push({ time, value })
    // A negative balance counts as zero: a token may report transfers that do not add up.
    const before = held.past - gain
    value += worth(held, before) - worth(held, held.past)
    held.past = before
    points.push({ time: time - 1, value })
  }
  return points.reverse()
}

const worth = ({ usd, balance }: { usd: bigint; balance: bigint }, amount: bigint) =>
  amount < 0n ? 0n : (usd * amount) / balance
