import { chainFields } from '@countersign/protocol/contract'
import { z } from 'zod'

const { blockNumber, blockTag, date, flag, page } = chainFields

/** The range of blocks, by number or date. */
export const olderRange = {
  from_block: blockNumber.optional(),
  to_block: blockNumber.optional(),
  from_date: date.optional(),
  to_date: date.optional(),
}

export const olderPage = { ...page, disable_total: flag.default(false) }

export const format = z.enum(['decimal', 'hex']).default('decimal').describe('How ids of collectibles are written')

export const toBlock = blockTag

type OlderRange = {
  from_block?: number | undefined
  to_block?: number | undefined
  from_date?: Date | undefined
  to_date?: Date | undefined
}

/** The same range under our own names. */
export const rangeFrom = ({ from_block, to_block, from_date, to_date }: OlderRange) => ({
  fromBlock: from_block,
  toBlock: to_block,
  fromDate: from_date,
  toDate: to_date,
})
