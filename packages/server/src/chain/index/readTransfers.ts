import type { Chain } from '../nodes/Chain.ts'
import { decodeTransfers } from './decodeTransfers.ts'
import type { LogFilter } from './logFilters.ts'
import { readHeader, toHex } from './readHeader.ts'
import type { RpcLog, Transfer } from './Transfer.ts'
import { transferId } from './transferId.ts'

export type ReadTransfers = {
  transfers: Transfer[]
  /** The time of each block that has transfers, in seconds. */
  times: Map<number, number>
  /** How many logs the node answered. */
  logs: number
}

/** The transfers of a stretch of blocks, with the times of their blocks. */
export async function readTransfers(
  chain: Chain,
  filters: readonly LogFilter[],
  from: number,
  to: number,
): Promise<ReadTransfers> {
  const range = { fromBlock: toHex(from), toBlock: toHex(to) }
  const outcomes = await chain.batch(
    [
      ...filters.map((filter) => ({ method: 'eth_getLogs', params: [{ ...filter, ...range }] })),
      // A node that lags answers with the logs that it has: it must show that it has the last block too.
      { method: 'eth_getBlockByNumber', params: [toHex(to), false] },
    ],
    { keep: 'none' },
  )
  const answers = outcomes.map((outcome) => {
    if ('error' in outcome) throw outcome.error
    return outcome.result
  })
  const last = readHeader(answers.pop())
  const logs = (answers as RpcLog[][]).flat()
  const times = new Map([[to, last.timestamp]])
  for (const { blockNumber, blockTimestamp } of logs) {
    if (blockTimestamp) times.set(Number(blockNumber), Number(blockTimestamp))
  }
  const transfers = filters.length > 1 ? withoutRepeats(chain.id, decodeTransfers(logs)) : decodeTransfers(logs)
  await addTimes(chain, transfers, times)
  return { transfers, times, logs: logs.length }
}

/** A transfer from one that is followed to another is answered twice. */
function withoutRepeats(chain: number, transfers: Transfer[]): Transfer[] {
  return [...new Map(transfers.map((transfer) => [transferId(chain, transfer), transfer])).values()]
}

async function addTimes(chain: Chain, transfers: readonly Transfer[], times: Map<number, number>): Promise<void> {
  const missing = new Set<number>()
  for (const { block } of transfers) if (!times.has(block)) missing.add(block)
  if (missing.size === 0) return
  const numbers = [...missing]
  const outcomes = await chain.batch(
    numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [toHex(number), false] })),
    { keep: 'none' },
  )
  for (const outcome of outcomes) {
    if ('error' in outcome) throw outcome.error
    const { number, timestamp } = readHeader(outcome.result)
    times.set(number, timestamp)
  }
}
