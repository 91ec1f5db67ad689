import type { TransactionRecord, TransferRecord } from '@countersign/protocol'
import { listCollections, listHoldings } from '../../../chain/index/queries/listHoldings.ts'
import { listTransactions, type TransactionRow } from '../../../chain/index/queries/listTransactions.ts'
import { listWrittenTransfers, type TransferQuery } from '../../../chain/index/queries/listTransfers.ts'
import type { Hex } from '../../../chain/nodes/Chain.ts'
import { getNftContracts } from '../../../chain/reads/tokens.ts'
import type { Endpoint } from '../../../endpoint/Endpoint.ts'
import {
  answerFromIndex,
  answerWritten,
  ignoreNodeFailure,
  listCounted,
  requireIndexCoverage,
  type Wanted,
} from '../answers.ts'
import { type ChainRequest, defineChainRead } from '../defineChainRead.ts'
import { describeHolding, describePage, describeWrittenPage } from '../describe.ts'
import { areSettled, readNftDetails } from '../getNft.ts'
import { type Range, rangeOf } from '../ranges.ts'

const collectibles = ['erc721', 'erc1155'] as const

/** Lists by owner and by contract, which only the index can serve. */
export const listEndpoints: Endpoint[] = [
  defineChainRead('listTransfers', {
    read: (request, { address: owner, kind, direction, token, ...rest }) =>
      answerTransfers(request, rest, { kinds: kind, address: owner, direction, ...(token && { tokens: [token] }) }),
  }),
  defineChainRead('listTokenTransfers', {
    read: (request, { token, ...rest }) => answerTransfers(request, rest, { kinds: ['erc20'], tokens: [token] }),
  }),
  defineChainRead('listNftTransfers', {
    read: (request, { token, ...rest }) => answerTransfers(request, rest, { kinds: collectibles, tokens: [token] }),
  }),
  defineChainRead('listNftTransfersOfId', {
    read: (request, { token, id, ...rest }) =>
      answerTransfers(request, rest, { kinds: collectibles, tokens: [token], tokenId: id }),
  }),
  defineChainRead('listTransactions', {
    async read({ context, caller, chain, key }, { address: owner, ...input }) {
      const coverage = await requireIndexCoverage({ context, caller, chain }, [
        { kind: 'transactions', address: owner },
      ])
      return answerFromIndex(context, chain, coverage, key, async () => {
        const query = { ...pageOf(input), ...rangeOf(input), chain: chain.id, address: owner }
        return describePage(await listCounted(context, coverage, listTransactions, query), input, describeTransaction)
      })
    },
  }),
  defineChainRead('listNfts', {
    read: (request, { address: owner, tokens, ...input }) =>
      answerHoldings(request, input, { owner, tokens }, [
        { kind: 'address', address: owner },
        ...(tokens?.length === 1 && tokens[0] ? [{ kind: 'contract', address: tokens[0] } as const] : []),
      ]),
  }),
  defineChainRead('listNftOwners', {
    read: (request, { token, ...input }) =>
      answerHoldings(request, input, { tokens: [token] }, [{ kind: 'contract', address: token }]),
  }),
  defineChainRead('listNftOwnersOfId', {
    read: (request, { token, id, ...input }) =>
      answerHoldings(request, input, { tokens: [token], tokenId: id }, [{ kind: 'contract', address: token }]),
  }),
  defineChainRead('listCollections', {
    async read({ context, caller, chain, key }, { address: owner, ...input }) {
      const coverage = await requireIndexCoverage({ context, caller, chain }, [{ kind: 'address', address: owner }])
      return answerFromIndex(context, chain, coverage, key, async () => {
        const found = await listCollections(context, { ...pageOf(input), chain: chain.id, owner })
        const tokens = found.rows.map(({ token }) => token as Hex)
        const contracts = await ignoreNodeFailure(getNftContracts(chain, tokens))
        return describePage(found, input, ({ token, kind }, place) => {
          const { name, symbol } = contracts?.[place] ?? {}
          return { token, kind, ...(name !== undefined && { name }), ...(symbol !== undefined && { symbol }) }
        })
      })
    },
  }),
]

type PageInput = { limit: number; cursor?: string | undefined; offset?: number | undefined }

const pageOf = ({ limit, cursor, offset }: PageInput) => ({ limit, cursor, offset, count: true })

type Filter = Pick<TransferQuery, 'kinds' | 'address' | 'direction' | 'tokens' | 'tokenId'>

async function answerTransfers(
  { context, caller, chain, key }: ChainRequest,
  input: PageInput & Range & { order: 'asc' | 'desc' },
  filter: Filter,
) {
  const wanted: Wanted[] = []
  if (filter.address) wanted.push({ kind: 'address', address: filter.address })
  if (filter.tokens?.length === 1 && filter.tokens[0]) wanted.push({ kind: 'contract', address: filter.tokens[0] })
  const coverage = await requireIndexCoverage({ context, caller, chain }, wanted)
  return answerWritten<TransferRecord[]>(context, chain, coverage, key, async () => {
    const query = { ...filter, ...pageOf(input), ...rangeOf(input), order: input.order, chain: chain.id }
    return describeWrittenPage(await listCounted(context, coverage, listWrittenTransfers, query), input)
  })
}

async function answerHoldings(
  { context, caller, chain, key }: ChainRequest,
  input: PageInput,
  filter: { owner?: string; tokens?: readonly string[] | undefined; tokenId?: string },
  wanted: readonly Wanted[],
) {
  const coverage = await requireIndexCoverage({ context, caller, chain }, wanted)
  return answerFromIndex(context, chain, coverage, key, async () => {
    const query = { ...filter, ...pageOf(input), chain: chain.id }
    const found = await listCounted(context, coverage, listHoldings, query)
    const details = await readNftDetails(context, caller, chain, found.rows)
    const shown = describePage(found, input, (row, place) => describeHolding(row, details[place]))
    return { ...shown, settled: areSettled(details) }
  })
}

const describeTransaction = (row: TransactionRow): TransactionRecord => ({
  hash: row.hash,
  from: row.from,
  ...(row.to !== null && { to: row.to }),
  value: row.value,
  nonce: Number(row.nonce),
  gas: row.gas,
  gasPrice: row.gasPrice,
  input: row.input,
  index: row.index,
  block: { number: row.block, hash: row.blockHash, timestamp: row.time.toISOString() },
  ...(row.status !== null && { status: row.status === 1 ? 'success' : 'failed' }),
  ...(row.gasUsed !== null && { gasUsed: row.gasUsed }),
  ...(row.cumulativeGasUsed !== null && { cumulativeGasUsed: row.cumulativeGasUsed }),
  ...(row.contract !== null && { contract: row.contract }),
})
