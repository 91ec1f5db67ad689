import { CountersignError } from '@countersign/protocol'
import { chainFields } from '@countersign/protocol/contract'
import { z } from 'zod'
import { listTokensBySymbol } from '../../../chain/index/queries/listTokensBySymbol.ts'
import { getAllowance } from '../../../chain/reads/getAllowance.ts'
import { getTokenPrices } from '../../../chain/reads/prices/getTokenPrices.ts'
import type { Endpoint } from '../../Endpoint.ts'
import { readTokens } from '../readTokens.ts'
import { answerTransfers } from './answerTransfers.ts'
import { answerWalletTransfers } from './answerWalletTransfers.ts'
import { defineOlder } from './defineOlder.ts'
import { mapPrice, mapToken } from './mapToken.ts'
import { olderPage, olderRange, toBlock } from './olderFields.ts'

const { address, listOf, mostRows, text } = chainFields

const walletFields = {
  contract_addresses: listOf(address).optional(),
  exclude_contracts: listOf(address).optional(),
  wallet_addresses: listOf(address).optional(),
  exclude_wallets: listOf(address).optional(),
  ...olderRange,
  ...olderPage,
}

const unknownPrice = () => new CountersignError('ObjectNotFound', 'No pool that is known here trades this token.')

export const tokenFunctions: Endpoint[] = [
  defineOlder('getTokenMetadata', {
    summary: 'Name, symbol and decimals of tokens.',
    input: { addresses: listOf(address) },
    holds: true,
    run: async ({ context, chain }, { addresses }) => (await readTokens(context, chain, addresses)).map(mapToken),
  }),
  defineOlder('getTokenMetadataBySymbol', {
    summary: 'Tokens with given symbols, of those that this server has met. Symbols belong to nobody.',
    input: { symbols: listOf(text) },
    async run({ context, chain }, { symbols }) {
      const found = await listTokensBySymbol(context, chain.id, symbols, mostRows)
      return found.map(({ token, ...rest }) => mapToken({ address: token, ...rest }))
    },
  }),
  defineOlder('getTokenPrice', {
    summary: 'The price of a token by the deepest pool on the chain.',
    input: { address, exchange: text.optional(), to_block: toBlock },
    holds: true,
    async run({ chain }, { address: token, exchange, to_block: block }) {
      const [price] = await getTokenPrices(chain, { tokens: [token], block, ...(exchange && { exchange }) })
      if (!price) throw unknownPrice()
      return mapPrice(chain, price)
    },
  }),
  defineOlder('getMultipleTokenPrices', {
    summary: 'Prices of several tokens. Those without a pool are left out.',
    input: {
      tokens: z
        .array(z.object({ token_address: address, exchange: text.optional(), to_block: toBlock }))
        .min(1)
        .max(100),
    },
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
  defineOlder('getTokenAddressTransfers', {
    summary: 'Transfers of an ERC-20 token, the newest first.',
    input: { address, ...olderRange, ...olderPage },
    run: (request, input) => answerTransfers(request, input, { kinds: ['erc20'], tokens: [input.address] }),
  }),
  defineOlder('getTokenAllowance', {
    summary: "How much of an owner's token a spender may take.",
    input: { address, owner_address: address, spender_address: address },
    holds: true,
    async run({ chain }, { address: token, owner_address: owner, spender_address: spender }) {
      const { allowance } = await getAllowance(chain, { token, owner, spender })
      return { allowance: allowance.toString() }
    },
  }),
  defineOlder('getErc20Transfers', {
    summary: 'Transfers of ERC-20 tokens, the newest first, straight from the node.',
    input: walletFields,
    cost: 10,
    run: (request, input) => answerWalletTransfers(request, input, 'transfer'),
  }),
  defineOlder('getErc20Mints', {
    summary: 'ERC-20 tokens that were made, the newest first, straight from the node.',
    input: walletFields,
    cost: 10,
    run: (request, input) => answerWalletTransfers(request, input, 'mint'),
  }),
  defineOlder('getErc20Burns', {
    summary: 'ERC-20 tokens that were destroyed, the newest first, straight from the node.',
    input: walletFields,
    cost: 10,
    run: (request, input) => answerWalletTransfers(request, input, 'burn'),
  }),
  defineOlder('getErc20Approvals', {
    summary: 'Approvals of ERC-20 tokens, the newest first, straight from the node.',
    input: walletFields,
    cost: 10,
    run: (request, input) => answerWalletTransfers(request, input, 'approval'),
  }),
]
