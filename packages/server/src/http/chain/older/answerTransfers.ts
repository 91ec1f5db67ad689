import { listTransfers, type TransferQuery } from '../../../chain/index/queries/listTransfers.ts'
import type { Hex } from '../../../chain/nodes/Chain.ts'
import { needCoverage, type Wanted } from '../needCoverage.ts'
import { rangeOf } from '../readRange.ts'
import { readTokens } from '../readTokens.ts'
import { unlessDown } from '../unlessDown.ts'
import type { OlderRequest } from './defineOlder.ts'
import { mapErc20Transfer, mapNftTransfer } from './mapTransfer.ts'
import { rangeFrom } from './olderFields.ts'
import { toOlderPage } from './olderPage.ts'
import { readPayments } from './readTransfers.ts'

type Input = Parameters<typeof rangeFrom>[0] & {
  limit: number
  cursor?: string | undefined
  offset?: number | undefined
  disable_total: boolean
  format?: 'decimal' | 'hex'
  order?: 'asc' | 'desc'
}
type Filter = Pick<TransferQuery, 'kinds' | 'address' | 'direction' | 'tokens' | 'tokenId'>

/** Transfers from the index. */
export async function answerTransfers({ context, chain }: OlderRequest, input: Input, filter: Filter) {
  const wanted: Wanted[] = filter.address ? [{ kind: 'address', address: filter.address }] : []
  if (filter.tokens?.length === 1 && filter.tokens[0]) wanted.push({ kind: 'contract', address: filter.tokens[0] })
  await needCoverage(context, chain, wanted)
  const { limit, cursor, offset, order } = input
  const query = { ...filter, ...rangeOf(rangeFrom(input)), limit, cursor, offset, order, chain: chain.id }
  const found = await listTransfers(context, { ...query, count: !input.disable_total })
  if (!filter.kinds.includes('erc20')) {
    const payments = await readPayments(chain, found.rows)
    const { format = 'decimal' } = input
    return toOlderPage(found, input, (row) => mapNftTransfer(row, format, payments.get(row.transaction)))
  }
  const tokens = await unlessDown(readTokens(context, chain, [...new Set(found.rows.map(({ token }) => token as Hex))]))
  const byAddress = new Map(tokens?.map((token) => [token.address as string, token]))
  return toOlderPage(found, input, (row) => mapErc20Transfer(row, byAddress.get(row.token)))
}
