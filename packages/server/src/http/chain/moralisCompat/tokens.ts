import { CountersignError } from '@countersign/protocol'
import { chainFields } from '@countersign/protocol/contract'
import { listTokensBySymbol } from '../../../chain/index/queries/listHoldings.ts'
import { transferTopic } from '../../../chain/index/Transfer.ts'
import type { Hex } from '../../../chain/nodes/Chain.ts'
import type { Log } from '../../../chain/reads/blocks.ts'
import { getTokenPrices } from '../../../chain/reads/prices.ts'
import { getAllowance } from '../../../chain/reads/tokens.ts'
import type { Endpoint } from '../../../endpoint/Endpoint.ts'
import { listLogPage } from '../listLogPage.ts'
import { readRange } from '../ranges.ts'
import { readTokens } from '../readTokens.ts'
import { type CompatRequest, defineCompatFunction } from './defineCompatFunction.ts'
import { mapPrice, mapToken, mapWalletTransfer, type OlderTransfer, rangeFrom } from './map.ts'
import { answerTokenTransfers } from './transfers.ts'

/** `Approval(address,address,uint256)` */
const approvalTopic = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'

const nobody: Hex = `0x${'0'.repeat(64)}`

const topicsOf = {
  transfer: [transferTopic as Hex],
  mint: [transferTopic as Hex, nobody],
  burn: [transferTopic as Hex, null, nobody],
  approval: [approvalTopic],
} as const

const unknownPrice = () => new CountersignError('ObjectNotFound', 'No known pool trades this token.')

export const tokenFunctions: Endpoint[] = [
  defineCompatFunction('getTokenMetadata', {
    holds: true,
    run: async ({ context, chain }, { addresses }) => (await readTokens(context, chain, addresses)).map(mapToken),
  }),
  defineCompatFunction('getTokenMetadataBySymbol', {
    async run({ context, chain }, { symbols }) {
      const found = await listTokensBySymbol(context, chain.id, symbols, chainFields.mostRows)
      return found.map(({ token, ...rest }) => mapToken({ address: token, ...rest }))
    },
  }),
  defineCompatFunction('getTokenPrice', {
    holds: true,
    async run({ chain }, { address: token, exchange, to_block: block }) {
      const [price] = await getTokenPrices(chain, { tokens: [token], block, ...(exchange && { exchange }) })
      if (!price) throw unknownPrice()
      return mapPrice(chain, price)
    },
  }),
  defineCompatFunction('getMultipleTokenPrices', {
    holds: true,
    cost: 5,
    async run({ chain }, { tokens }) {
      const groups = new Map<string, typeof tokens>()
      for (const token of tokens) {
        const key = `${token.exchange ?? ''} ${token.to_block}`
        groups.set(key, [...(groups.get(key) ?? []), token])
      }
      const prices = await Promise.all(
        [...groups.values()].map((group) => {
          const { exchange, to_block: block = 'latest' } = group[0] ?? {}
          const wanted = group.map(({ token_address }) => token_address)
          return getTokenPrices(chain, { tokens: wanted, block, ...(exchange && { exchange }) })
        }),
      )
      return prices.flat().flatMap((price) => (price ? [mapPrice(chain, price)] : []))
    },
  }),
  defineCompatFunction('getTokenAddressTransfers', {
    run: (request, input) => answerTokenTransfers(request, input, { kinds: ['erc20'], tokens: [input.address] }),
  }),
  defineCompatFunction('getTokenAllowance', {
    holds: true,
    async run({ chain }, { address: token, owner_address: owner, spender_address: spender }) {
      const { allowance } = await getAllowance(chain, { token, owner, spender })
      return { allowance: allowance.toString() }
    },
  }),
  defineCompatFunction('getErc20Transfers', {
    cost: 10,
    run: (request, input) => answerWalletTransfers(request, input, 'transfer'),
  }),
  defineCompatFunction('getErc20Mints', {
    cost: 10,
    run: (request, input) => answerWalletTransfers(request, input, 'mint'),
  }),
  defineCompatFunction('getErc20Burns', {
    cost: 10,
    run: (request, input) => answerWalletTransfers(request, input, 'burn'),
  }),
  defineCompatFunction('getErc20Approvals', {
    cost: 10,
    run: (request, input) => answerWalletTransfers(request, input, 'approval'),
  }),
]

type Input = Parameters<typeof rangeFrom>[0] & {
  contract_addresses?: readonly Hex[] | undefined
  exclude_contracts?: readonly Hex[] | undefined
  wallet_addresses?: readonly Hex[] | undefined
  exclude_wallets?: readonly Hex[] | undefined
  limit: number
  cursor?: string | undefined
  offset?: number | undefined
}

/** Transfers, mints, burns or approvals of ERC-20 tokens by contract and wallet, straight from the node. */
async function answerWalletTransfers({ context, chain }: CompatRequest, input: Input, kind: keyof typeof topicsOf) {
  const { contract_addresses, exclude_contracts, wallet_addresses, exclude_wallets, limit, cursor, offset } = input
  const keep = (log: Log) => {
    // Collectibles have the same events, with one topic more.
    if (log.topics.length !== 3 || log.data.length < 66 || exclude_contracts?.includes(log.address)) return false
    const parties = [partyOf(log, 1), partyOf(log, 2)]
    if (exclude_wallets?.some((each) => parties.includes(each))) return false
    return !wallet_addresses || wallet_addresses.some((each) => parties.includes(each))
  }
  const found = await listLogPage(chain, {
    ...(await readRange(chain, rangeFrom(input))),
    ...(contract_addresses && { address: contract_addresses }),
    ...{ topics: topicsOf[kind], limit, cursor, offset, keep },
  })
  const rows = found.rows.map(
    (log): OlderTransfer => ({
      kind: 'erc20',
      token: log.address,
      from: partyOf(log, 1),
      to: partyOf(log, 2),
      operator: null,
      tokenId: null,
      amount: BigInt(log.data.slice(0, 66)).toString(),
      block: log.blockNumber,
      blockHash: log.blockHash,
      blockTime: new Date(log.block.timestamp * 1000),
      transaction: log.transactionHash,
      transactionIndex: log.transactionIndex,
      logIndex: log.logIndex,
      sub: 0,
    }),
  )
  const tokens = await readTokens(context, chain, [...new Set(rows.map(({ token }) => token as Hex))])
  const byAddress = new Map(tokens.map((token) => [token.address as string, token]))
  return { cursor: found.cursor ?? '', result: rows.map((row) => mapWalletTransfer(row, byAddress.get(row.token))) }
}

const partyOf = ({ topics }: Log, place: number): Hex => `0x${(topics[place] ?? '').slice(26)}`
