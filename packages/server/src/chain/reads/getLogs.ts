import type { BlockRef, Chain, Hex } from '../nodes/Chain.ts'
import { NodeError } from '../nodes/NodeError.ts'
import { nonsense, toQuantity } from '../nodes/quantities.ts'
import type { Log } from './Block.ts'
import { readLog } from './readBlock.ts'
import { suggestRange } from './suggestRange.ts'

export type LogFilter = {
  address?: Hex | readonly Hex[]
  /** Each place: any, one topic, or one of several. */
  topics?: readonly (Hex | readonly Hex[] | null)[]
  fromBlock?: number
  toBlock?: number
  order?: 'asc' | 'desc'
  /** How many are enough. The last block that is read is read to its end, so there may be more. */
  limit?: number
  /** How many questions may be asked of the node for it, and for how many milliseconds. */
  maxRequests?: number
  maxTime?: number
}

export type Logs = {
  logs: Log[]
  /** The blocks that were read, all of them. Less than was asked for where a limit ended it. */
  fromBlock: number
  toBlock: number
  complete: boolean
  /** The head. */
  block: BlockRef
}

/** How many blocks a chain's nodes were found to answer for at once. */
const ranges = new WeakMap<Chain, number>()

/**
 * Logs of a range of blocks. The whole range is tried first; a node that finds it too much says how much would do, or it
 * is halved; what went well is widened again.
 */
export async function getLogs(chain: Chain, filter: LogFilter): Promise<Logs> {
  const block = await chain.head()
  const { order = 'asc', limit = Number.POSITIVE_INFINITY, maxRequests = 200, maxTime = 15_000 } = filter
  const deadline = performance.now() + maxTime
  const first = Math.max(0, filter.fromBlock ?? 0)
  const last = Math.min(filter.toBlock ?? block.number, block.number)
  const logs: Log[] = []
  let low = first
  let high = last
  let width = Math.min(ranges.get(chain) ?? Number.POSITIVE_INFINITY, Math.max(1, last - first + 1))
  for (let requests = 0; low <= high && logs.length < limit && requests < maxRequests; requests++) {
    if (performance.now() > deadline) break
    const from = order === 'asc' ? low : Math.max(low, high - width + 1)
    const to = order === 'asc' ? Math.min(high, low + width - 1) : high
    try {
      const found = await ask(chain, filter, from, to)
      logs.push(...(order === 'asc' ? found : found.reverse()))
      if (order === 'asc') low = to + 1
      else high = from - 1
      if (requests > 0 && found.length < 2_000) width = Math.min(width * 2, last - first + 1)
    } catch (error) {
      if (!(error instanceof NodeError) || error.kind !== 'tooMuch' || width === 1) throw error
      width = suggestRange(error.said ?? '', from, to) ?? Math.max(1, (to - from + 1) >> 1)
      ranges.set(chain, width)
    }
  }
  return {
    logs,
    fromBlock: order === 'asc' ? first : high + 1,
    toBlock: order === 'asc' ? low - 1 : last,
    complete: low > high,
    block,
  }
}

async function ask(chain: Chain, { address, topics }: LogFilter, from: number, to: number): Promise<Log[]> {
  const answer = await chain.request('eth_getLogs', [
    {
      fromBlock: toQuantity(from),
      toBlock: toQuantity(to),
      ...(address && { address }),
      ...(topics && { topics }),
    },
  ])
  if (!Array.isArray(answer)) throw nonsense('logs')
  return answer.map(readLog).sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}
