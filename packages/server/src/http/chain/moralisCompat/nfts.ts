import { CountersignError } from '@countersign/protocol'
import { listTokenIds } from '../../../chain/index/queries/listHoldings.ts'
import { transferTopics } from '../../../chain/index/Transfer.ts'
import { getNftMetadata, queueMetadata } from '../../../chain/nft/nftMetadata.ts'
import type { Hex } from '../../../chain/nodes/Chain.ts'
import { getBlock } from '../../../chain/reads/blocks.ts'
import { getNftContracts } from '../../../chain/reads/tokens.ts'
import type { Endpoint } from '../../../endpoint/Endpoint.ts'
import { requireIndexCoverage } from '../answers.ts'
import { askerOf } from '../askerOf.ts'
import { getNft, type Nft, readNftDetails } from '../getNft.ts'
import { listLogPage } from '../listLogPage.ts'
import { readRange } from '../ranges.ts'
import { type CompatRequest, defineCompatFunction } from './defineCompatFunction.ts'
import { mapNft, mapNftTransfer, type NftFormat, rangeFrom, toCompatPage } from './map.ts'
import { answerHoldings, answerNftTransfers, readPayments, readTransfers } from './transfers.ts'

const collectibles = ['erc721', 'erc1155'] as const

export const nftFunctions: Endpoint[] = [
  defineCompatFunction('getNFTTransfersByBlock', {
    holds: true,
    async run(request, { block_number_or_hash: wanted, ...input }) {
      const { chain } = request
      const { number } = await getBlock(chain, wanted === 'finalized' ? await chain.finalized() : wanted)
      const page = await listFromNode(request, { ...input, fromBlock: number, toBlock: number, format: 'decimal' })
      return { ...page, block_exists: true, index_complete: true }
    },
  }),
  defineCompatFunction('getNFTTransfersFromToBlock', {
    // As the client called it up to version 1.11.
    spellings: ['getNftTransfersFromToBlock'],
    cost: 10,
    holds: true,
    run: async (request, input) =>
      listFromNode(request, { ...input, ...(await readRange(request.chain, rangeFrom(input))) }),
  }),
  defineCompatFunction('getAllTokenIds', {
    async run({ context, caller, chain }, { address: token, ...input }) {
      const { status } = await requireIndexCoverage({ context, caller, chain }, [{ kind: 'contract', address: token }])
      const { limit, cursor, offset } = input
      const query = { chain: chain.id, token, limit, cursor, offset, count: !input.disable_total }
      const found = await listTokenIds(context, query)
      const rows = found.rows.map((row) => ({ ...row, token }))
      const details = await readNftDetails(context, caller, chain, rows)
      const page = toCompatPage({ ...found, rows }, input, (row, place) => ({
        ...mapNft(row, details[place], input),
        amount: row.amount,
      }))
      return { status, ...page }
    },
  }),
  defineCompatFunction('getMultipleNFTs', {
    async run({ context, caller, chain }, { tokens, ...how }) {
      const found = await Promise.all(
        tokens.map(({ token_address: token, token_id: id }) =>
          getNft(context, caller, chain, { token, tokenId: id }).catch((error: unknown) => {
            if (error instanceof CountersignError && error.code === 101) return undefined
            throw error
          }),
        ),
      )
      return found.flatMap((nft) => (nft ? [mapSingle(nft, how)] : []))
    },
  }),
  defineCompatFunction('getContractNFTTransfers', {
    run: (request, input) => answerNftTransfers(request, input, { kinds: collectibles, tokens: [input.address] }),
  }),
  defineCompatFunction('getNFTOwners', {
    run: (request, { address: token, ...input }) => answerHoldings(request, input, { tokens: [token] }),
  }),
  defineCompatFunction('getNFTMetadata', {
    holds: true,
    async run({ chain }, { address: token }) {
      const [found] = await getNftContracts(chain, [token])
      if (!found || (found.kind === undefined && found.name === undefined))
        throw new CountersignError('ObjectNotFound', `There is no NFT contract at ${token}.`)
      return {
        token_address: token,
        name: found.name ?? null,
        synced_at: null,
        symbol: found.symbol ?? null,
        contract_type: found.kind?.toUpperCase() ?? null,
      }
    },
  }),
  defineCompatFunction('reSyncMetadata', {
    cost: 10,
    async run({ context, caller, chain }, { address: token, token_id, mode }) {
      const { kind } = await getNft(context, caller, chain, { token, tokenId: token_id })
      const nft = { token, tokenId: BigInt(token_id), kind }
      if (mode === 'async') {
        queueMetadata(context, chain, [nft], askerOf(caller))
        return { status: 'in-progress' as const }
      }
      const { error } = await getNftMetadata(context, chain, nft, { asker: askerOf(caller), fresh: true })
      if (error) throw new CountersignError('OtherCause', `The metadata could not be fetched: ${error}`)
      return { status: 'completed' as const }
    },
  }),
  defineCompatFunction('syncNFTContract', {
    async run({ context, caller, chain }, { address: token }) {
      await requireIndexCoverage({ context, caller, chain }, [{ kind: 'contract', address: token }])
      return {}
    },
  }),
  defineCompatFunction('getTokenIdMetadata', {
    run: async ({ context, caller, chain }, { address: token, token_id: id, ...how }) =>
      mapSingle(await getNft(context, caller, chain, { token, tokenId: id }), how),
  }),
  defineCompatFunction('getTokenIdOwners', {
    run: (request, { address: token, token_id: id, ...input }) =>
      answerHoldings(request, input, { tokens: [token], tokenId: id }),
  }),
  defineCompatFunction('getWalletTokenIdTransfers', {
    run: (request, { address: token, token_id: id, ...input }) =>
      answerNftTransfers(request, input, { kinds: collectibles, tokens: [token], tokenId: id }),
  }),
]

const mapSingle = (nft: Nft, how: NftFormat) => ({
  ...mapNft(nft, nft.details, how),
  owner_of: nft.owner ?? null,
  amount: nft.kind === 'erc721' ? '1' : null,
})

type Input = {
  fromBlock?: number
  toBlock?: number
  limit: number
  cursor?: string | undefined
  offset?: number | undefined
  disable_total: boolean
  format: 'decimal' | 'hex'
}

/** A page counts logs; one with several transfers makes it longer. */
async function listFromNode({ chain }: CompatRequest, input: Input) {
  const { limit, cursor, offset, fromBlock, toBlock } = input
  const found = await listLogPage(chain, {
    ...(fromBlock !== undefined && { fromBlock }),
    ...(toBlock !== undefined && { toBlock }),
    ...{ limit, cursor, offset, topics: [transferTopics as Hex[]], keep: ({ topics }) => topics.length !== 3 },
  })
  const rows = readTransfers(found.rows)
  const payments = await readPayments(chain, rows)
  return toCompatPage({ ...found, rows }, input, (row) =>
    mapNftTransfer(row, input.format, payments.get(row.transaction)),
  )
}
