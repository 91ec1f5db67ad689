import { CountersignError } from '@countersign/protocol'
import { chainFields } from '@countersign/protocol/contract'
import { z } from 'zod'
import { listTokenIds } from '../../../chain/index/queries/listTokenIds.ts'
import { transferTopics } from '../../../chain/index/topics.ts'
import { getNftMetadata } from '../../../chain/nft/getNftMetadata.ts'
import { wantMetadata } from '../../../chain/nft/wantMetadata.ts'
import type { Hex } from '../../../chain/nodes/Chain.ts'
import { getBlock } from '../../../chain/reads/getBlock.ts'
import { getNftContracts } from '../../../chain/reads/getNftContracts.ts'
import type { Endpoint } from '../../Endpoint.ts'
import { askerOf } from '../askerOf.ts'
import { getNft, type Nft } from '../getNft.ts'
import { listLogPage } from '../listLogPage.ts'
import { needCoverage } from '../needCoverage.ts'
import { readNftDetails } from '../readNftDetails.ts'
import { readRange } from '../readRange.ts'
import { answerHoldings } from './answerHoldings.ts'
import { answerTransfers } from './answerTransfers.ts'
import { defineOlder, type OlderRequest } from './defineOlder.ts'
import { mapNft, type NftFormat } from './mapNft.ts'
import { mapNftTransfer } from './mapTransfer.ts'
import { format, olderPage, olderRange, rangeFrom } from './olderFields.ts'
import { toOlderPage } from './olderPage.ts'
import { readPayments, readTransfers } from './readTransfers.ts'

const { address, anyBlock, flag, order, tokenId } = chainFields

const nftFields = { format, normalizeMetadata: flag.default(false), media_items: flag.default(false) }
const collectibles = ['erc721', 'erc1155'] as const

export const nftFunctions: Endpoint[] = [
  defineOlder('getNFTTransfersByBlock', {
    summary: 'Transfers of collectibles in a block.',
    input: { block_number_or_hash: anyBlock, ...olderPage },
    holds: true,
    async run(request, { block_number_or_hash: wanted, ...input }) {
      const { chain } = request
      const { number } = await getBlock(chain, wanted === 'finalized' ? await chain.finalized() : wanted)
      const page = await listFromNode(request, { ...input, fromBlock: number, toBlock: number, format: 'decimal' })
      return { ...page, block_exists: true, index_complete: true }
    },
  }),
  defineOlder('getNFTTransfersFromToBlock', {
    summary: 'Transfers of collectibles in a range of blocks, the newest first, straight from the node.',
    // As the client called it up to version 1.11.
    spellings: ['getNftTransfersFromToBlock'],
    input: { format, ...olderRange, ...olderPage },
    cost: 10,
    holds: true,
    run: async (request, input) =>
      listFromNode(request, { ...input, ...(await readRange(request.chain, rangeFrom(input))) }),
  }),
  defineOlder('getAllTokenIds', {
    summary: 'The ids of a contract that somebody holds.',
    input: { address, ...nftFields, ...olderPage },
    async run({ context, caller, chain }, { address: token, ...input }) {
      const { status } = await needCoverage(context, chain, [{ kind: 'contract', address: token }])
      const { limit, cursor, offset } = input
      const query = { chain: chain.id, token, limit, cursor, offset, count: !input.disable_total }
      const found = await listTokenIds(context, query)
      const rows = found.rows.map((row) => ({ ...row, token }))
      const details = await readNftDetails(context, caller, chain, rows)
      const page = toOlderPage({ ...found, rows }, input, (row, place) => ({
        ...mapNft(row, details[place], input),
        amount: row.amount,
      }))
      return { status, ...page }
    },
  }),
  defineOlder('getMultipleNFTs', {
    summary: 'Several collectibles, straight from their contracts. Those that do not exist are left out.',
    input: {
      tokens: z
        .array(z.object({ token_address: address, token_id: tokenId }))
        .min(1)
        .max(25),
      ...nftFields,
    },
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
  defineOlder('getContractNFTTransfers', {
    summary: 'Transfers of the collectibles of a contract, the newest first.',
    input: { address, format, ...olderRange, ...olderPage },
    run: (request, input) => answerTransfers(request, input, { kinds: collectibles, tokens: [input.address] }),
  }),
  defineOlder('getNFTOwners', {
    summary: 'Who holds the collectibles of a contract.',
    input: { address, ...nftFields, ...olderPage },
    run: (request, { address: token, ...input }) => answerHoldings(request, input, { tokens: [token] }),
  }),
  defineOlder('getNFTMetadata', {
    summary: 'Name, symbol and standard of an NFT contract.',
    input: { address },
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
  defineOlder('reSyncMetadata', {
    summary: 'Fetch the metadata of a collectible anew.',
    input: {
      address,
      token_id: tokenId,
      flag: z.enum(['uri', 'metadata']).default('uri'),
      mode: z.enum(['async', 'sync']).default('async'),
    },
    cost: 10,
    async run({ context, caller, chain }, { address: token, token_id, mode }) {
      const { kind } = await getNft(context, caller, chain, { token, tokenId: token_id })
      const nft = { token, tokenId: BigInt(token_id), kind }
      if (mode === 'async') {
        wantMetadata(context, chain, [nft], askerOf(caller))
        return { status: 'in-progress' }
      }
      const { error } = await getNftMetadata(context, chain, nft, { asker: askerOf(caller), fresh: true })
      if (error) throw new CountersignError('OtherCause', `The metadata could not be fetched: ${error}`)
      return { status: 'completed' }
    },
  }),
  defineOlder('syncNFTContract', {
    summary: 'Whether the index follows a contract: nothing has to be started for it.',
    input: { address },
    async run({ context, chain }, { address: token }) {
      await needCoverage(context, chain, [{ kind: 'contract', address: token }])
      return {}
    },
  }),
  defineOlder('getTokenIdMetadata', {
    summary: 'A collectible, straight from its contract.',
    input: { address, token_id: tokenId, ...nftFields },
    run: async ({ context, caller, chain }, { address: token, token_id: id, ...how }) =>
      mapSingle(await getNft(context, caller, chain, { token, tokenId: id }), how),
  }),
  defineOlder('getTokenIdOwners', {
    summary: 'Who holds a collectible.',
    input: { address, token_id: tokenId, ...nftFields, ...olderPage },
    run: (request, { address: token, token_id: id, ...input }) =>
      answerHoldings(request, input, { tokens: [token], tokenId: id }),
  }),
  defineOlder('getWalletTokenIdTransfers', {
    summary: 'Transfers of one collectible, the newest first.',
    input: { address, token_id: tokenId, format, order, ...olderPage },
    run: (request, { address: token, token_id: id, ...input }) =>
      answerTransfers(request, input, { kinds: collectibles, tokens: [token], tokenId: id }),
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

/** A page counts logs; one that tells of several transfers makes it longer. */
async function listFromNode({ chain }: OlderRequest, input: Input) {
  const { limit, cursor, offset, fromBlock, toBlock } = input
  const found = await listLogPage(chain, {
    ...(fromBlock !== undefined && { fromBlock }),
    ...(toBlock !== undefined && { toBlock }),
    ...{ limit, cursor, offset, topics: [transferTopics as Hex[]], keep: ({ topics }) => topics.length !== 3 },
  })
  const rows = readTransfers(found.rows)
  const payments = await readPayments(chain, rows)
  return toOlderPage({ ...found, rows }, input, (row) =>
    mapNftTransfer(row, input.format, payments.get(row.transaction)),
  )
}
