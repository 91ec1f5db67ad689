import { listHoldings } from '../../../chain/index/queries/listHoldings.ts'
import { listTransfers, type TransferQuery } from '../../../chain/index/queries/listTransfers.ts'
import { decodeTransfers } from '../../../chain/index/Transfer.ts'
import type { Chain, Hex } from '../../../chain/nodes/Chain.ts'
import { readBig } from '../../../chain/nodes/quantities.ts'
import { ignoreNodeFailure, listCounted, requireIndexCoverage, type Wanted } from '../answers.ts'
import { readNftDetails } from '../getNft.ts'
import type { LogPage } from '../listLogPage.ts'
import { rangeOf } from '../ranges.ts'
import { readTokens } from '../readTokens.ts'
import type { CompatRequest } from './defineCompatFunction.ts'
import {
  mapErc20Transfer,
  mapHolding,
  mapNftTransfer,
  type NftFormat,
  type OlderTransfer,
  rangeFrom,
  toCompatPage,
} from './map.ts'

/** Transfers in a page of logs. */
export function readTransfers(rows: LogPage['rows']): OlderTransfer[] {
  return rows.flatMap((log) =>
    decodeTransfers([
      {
        ...log,
        blockNumber: String(log.blockNumber),
        transactionIndex: String(log.transactionIndex),
        logIndex: String(log.logIndex),
      },
    ]).map((transfer) => ({
      ...transfer,
      operator: transfer.operator ?? null,
      tokenId: transfer.tokenId ?? null,
      blockTime: new Date(log.block.timestamp * 1000),
    })),
  )
}

/** Native currency paid by transactions; undefined if the node does not return it. */
export async function readPayments(
  chain: Chain,
  rows: readonly { transaction: string }[],
): Promise<Map<string, bigint>> {
  const hashes = [...new Set(rows.map(({ transaction }) => transaction as Hex))]
  const outcomes = await chain.batch(hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })))
  const payments = new Map<string, bigint>()
  for (const [place, outcome] of outcomes.entries()) {
    const paid = 'result' in outcome ? (outcome.result as { value?: unknown } | null)?.value : undefined
    const hash = hashes[place]
    if (hash && paid !== undefined) payments.set(hash, readBig(paid))
  }
  return payments
}

type TransfersInput = Parameters<typeof rangeFrom>[0] & {
  limit: number
  cursor?: string | undefined
  offset?: number | undefined
  disable_total: boolean
  format?: 'decimal' | 'hex'
  order?: 'asc' | 'desc'
}

type Filter = Pick<TransferQuery, 'kinds' | 'address' | 'direction' | 'tokens' | 'tokenId'>

/** ERC-20 transfers from the index, with token metadata from the contracts. */
export async function answerTokenTransfers(request: CompatRequest, input: TransfersInput, filter: Filter) {
  const { context, chain } = request
  const found = await listFromIndex(request, input, filter)
  const tokens = await ignoreNodeFailure(
    readTokens(context, chain, [...new Set(found.rows.map(({ token }) => token as Hex))]),
  )
  const byAddress = new Map(tokens?.map((token) => [token.address as string, token]))
  return toCompatPage(found, input, (row) => mapErc20Transfer(row, byAddress.get(row.token)))
}

/** Transfers of collectibles from the index, with what their transactions paid. */
export async function answerNftTransfers(request: CompatRequest, input: TransfersInput, filter: Filter) {
  const found = await listFromIndex(request, input, filter)
  const payments = await readPayments(request.chain, found.rows)
  const { format = 'decimal' } = input
  return toCompatPage(found, input, (row) => mapNftTransfer(row, format, payments.get(row.transaction)))
}

async function listFromIndex({ context, caller, chain }: CompatRequest, input: TransfersInput, filter: Filter) {
  const wanted: Wanted[] = filter.address ? [{ kind: 'address', address: filter.address }] : []
  if (filter.tokens?.length === 1 && filter.tokens[0]) wanted.push({ kind: 'contract', address: filter.tokens[0] })
  const coverage = await requireIndexCoverage({ context, caller, chain }, wanted)
  const { limit, cursor, offset, order } = input
  const query = { ...filter, ...rangeOf(rangeFrom(input)), limit, cursor, offset, order, chain: chain.id }
  return listCounted(context, coverage, listTransfers, { ...query, count: !input.disable_total })
}

type HoldingsInput = NftFormat & {
  limit: number
  cursor?: string | undefined
  offset?: number | undefined
  disable_total: boolean
}

/** NFTs with their owners from the index, with data from contracts and metadata. */
export async function answerHoldings(
  { context, caller, chain }: CompatRequest,
  input: HoldingsInput,
  filter: { owner?: string; tokens?: readonly string[] | undefined; tokenId?: string },
) {
  const wanted: Wanted[] = filter.owner ? [{ kind: 'address', address: filter.owner }] : []
  if (filter.tokens?.length === 1 && filter.tokens[0]) wanted.push({ kind: 'contract', address: filter.tokens[0] })
  const coverage = await requireIndexCoverage({ context, caller, chain }, wanted)
  const { limit, cursor, offset } = input
  const query = { ...filter, limit, cursor, offset, count: !input.disable_total, chain: chain.id }
  const found = await listCounted(context, coverage, listHoldings, query)
  const details = await readNftDetails(context, caller, chain, found.rows)
  return {
    status: coverage.status,
    ...toCompatPage(found, input, (row, place) => mapHolding(row, details[place], input)),
  }
}
