import type { Chain } from '../nodes/Chain.ts'
import { dateToBlock } from './dateToBlock.ts'

/**
 * About `count` blocks at even distances since a time, and the head. They stand on a grid that does not move with the
 * head, so that what was read of them once is of use again.
 */
export async function listPastBlocks(chain: Chain, { since, count }: { since: Date; count: number }) {
  const [head, first] = [(await chain.head()).number, (await dateToBlock(chain, since)).number]
  const step = 2 ** Math.max(0, Math.round(Math.log2(Math.max(1, head - first) / count)))
  const blocks: number[] = []
  for (let block = Math.ceil(first / step) * step; block < head; block += step) blocks.push(block)
  return [...blocks, head]
}
