import { CountersignError } from '@countersign/protocol'
import type { Abi, AbiEvent } from '../evm.ts'
import type { BlockRef, Chain, Hex } from '../nodes/Chain.ts'
import { NodeError } from '../nodes/NodeError.ts'
import { nonsense, toQuantity } from '../nodes/quantities.ts'
import { type Log, readLog } from './blocks.ts'

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
  /** Blocks that were read completely. Fewer than requested if a limit ended it. */
  fromBlock: number
  toBlock: number
  complete: boolean
  /** The head. */
  block: BlockRef
}

/**
 * Logs of a range of blocks. Tries the whole range first; after a refusal it uses the node's suggestion or halves it,
 * and widens it again after a success.
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
  let width = Math.min(chain.known.logRange, Math.max(1, last - first + 1))
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
      chain.known.logRange = width
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

/** Number of blocks that a node's error suggests; undefined if it contains none. */
export function suggestRange(said: string, from: number, to: number): number | undefined {
  const asked = to - from + 1
  const useful = (range: number) => (range >= 1 && range < asked ? range : undefined)
  const between = /\[?(0x[0-9a-f]+)[, -]+(?:to )?(0x[0-9a-f]+)\]?/i.exec(said)
  if (between) return useful(Number(between[2]) - Number(between[1]) + 1)
  const words = said.replaceAll(/(\d),(\d{3})/g, '$1$2')
  const range =
    /range[^0-9]{0,30}(\d+)\s*(k?)\b/i.exec(words) ??
    /(\d+)\s*(k?)[ -]?blocks?/i.exec(words) ??
    /limit(?:ed)?[^0-9]{0,20}(\d+)\s*(k?)\b/i.exec(words)
  // A number of results says nothing of a number of blocks.
  if (!range || /\b(results|logs)\b/i.test(said)) return undefined
  return useful(Number(range[1]) * (range[2] ? 1_000 : 1))
}

/** The event of an ABI that is meant by its topic, name or signature. */
export async function chooseEvent(abi: Abi, wanted: string | undefined): Promise<AbiEvent> {
  const { toEventSelector, toEventSignature } = await import('../evm.ts')
  const events = abi.filter((item): item is AbiEvent => item.type === 'event')
  const key = wanted?.replaceAll(' ', '')
  const found =
    key === undefined
      ? events
      : events.filter((item) => [item.name, toEventSignature(item), toEventSelector(item)].includes(key))
  if (found.length === 1 && found[0]) return found[0]
  throw new CountersignError(
    'InvalidValue',
    found.length > 1 ? 'Several events match. Choose one by its topic.' : 'The ABI has no such event.',
    {
      details: `Events: ${events
        .map((item) => toEventSignature(item))
        .join(', ')
        .slice(0, 500)}`,
    },
  )
}
