import { CountersignError } from '@countersign/protocol'
import type { Chain } from '../../chain/nodes/Chain.ts'
import { dateToBlock } from '../../chain/reads/blocks.ts'

export type Range = {
  fromBlock?: number | undefined
  toBlock?: number | undefined
  fromDate?: Date | undefined
  toDate?: Date | undefined
}

/** A range as block numbers, for nodes. A number overrides a date. */
export async function readRange(
  chain: Chain,
  { fromBlock, toBlock, fromDate, toDate }: Range,
): Promise<{ fromBlock?: number; toBlock?: number }> {
  const from = fromBlock ?? (fromDate && (await firstFrom(chain, fromDate)))
  const to = toBlock ?? (toDate && (await dateToBlock(chain, toDate)).number)
  if (from !== undefined && to !== undefined && from > to)
    throw new CountersignError('InvalidValue', 'The range of blocks ends before it begins.')
  return { ...(from !== undefined && { fromBlock: from }), ...(to !== undefined && { toBlock: to }) }
}

async function firstFrom(chain: Chain, date: Date): Promise<number> {
  const { number, timestamp } = await dateToBlock(chain, date)
  return timestamp * 1000 < date.getTime() ? number + 1 : number
}

/** The same range for the index, which knows times. */
export const rangeOf = ({ fromBlock, toBlock, fromDate, toDate }: Range) => ({
  fromBlock,
  toBlock,
  fromTime: fromBlock === undefined ? fromDate : undefined,
  toTime: toBlock === undefined ? toDate : undefined,
})
