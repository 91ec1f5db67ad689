import type { BlockRef, Chain } from '../nodes/Chain.ts'

/**
 * The newest block that is not later than the time; the first block for a time before it, the head for one to come.
 * Guesses by the pace between two known blocks, and halves where the pace misleads.
 */
export async function dateToBlock(chain: Chain, date: Date): Promise<BlockRef> {
  const wanted = Math.floor(date.getTime() / 1000)
  let high = await chain.head()
  if (high.timestamp <= wanted) return high
  let low = await chain.block(0)
  if (low.timestamp > wanted) return low
  for (let turn = 0; high.number - low.number > 1; turn++) {
    const span = high.number - low.number
    const guess =
      low.number + Math.floor((span * (wanted - low.timestamp)) / Math.max(1, high.timestamp - low.timestamp))
    const middle = turn % 3 === 2 ? low.number + Math.floor(span / 2) : guess
    const probe = await chain.block(Math.min(high.number - 1, Math.max(low.number + 1, middle)))
    if (probe.timestamp <= wanted) low = probe
    else high = probe
  }
  return low
}
