import { chainFields } from '@countersign/protocol/contract'
import { z } from 'zod'
import { listCollections } from '../../../chain/index/queries/listCollections.ts'
import { listTransactions } from '../../../chain/index/queries/listTransactions.ts'
import type { Hex } from '../../../chain/nodes/Chain.ts'
import { getNativeBalance } from '../../../chain/reads/getNativeBalance.ts'
import { getNativeBalances } from '../../../chain/reads/getNativeBalances.ts'
import { getNftContracts } from '../../../chain/reads/getNftContracts.ts'
import { getTransaction } from '../../../chain/reads/getTransaction.ts'
import type { Endpoint } from '../../Endpoint.ts'
import { toIso } from '../describeBlockRef.ts'
import { formatUnits } from '../formatUnits.ts'
import { needCoverage } from '../needCoverage.ts'
import { rangeOf } from '../readRange.ts'
import { readTokenBalances } from '../readTokenBalances.ts'
import { unlessDown } from '../unlessDown.ts'
import { answerHoldings } from './answerHoldings.ts'
import { answerTransfers } from './answerTransfers.ts'
import { defineOlder } from './defineOlder.ts'
import { listOldTransactions, meansOldHelper } from './listOldTransactions.ts'
import { mapKeptTransaction, mapVerboseTransaction } from './mapTransaction.ts'
import { format, olderPage, olderRange, rangeFrom, toBlock } from './olderFields.ts'
import { toOlderPage } from './olderPage.ts'

const { address, flag, listOf } = chainFields

const nftFields = { format, normalizeMetadata: flag.default(false), media_items: flag.default(false) }

export const accountFunctions: Endpoint[] = [
  defineOlder('getTransactions', {
    summary: 'Transactions of an address, the newest first.',
    input: { address, ...olderRange, ...olderPage },
    async run({ context, chain, sent }, input) {
      if (meansOldHelper(sent)) return listOldTransactions(context, chain, input.address)
      await needCoverage(context, chain, [{ kind: 'transactions', address: input.address }])
      const { limit, cursor, offset } = input
      const query = { limit, cursor, offset, ...rangeOf(rangeFrom(input)), chain: chain.id, address: input.address }
      return toOlderPage(
        await listTransactions(context, { ...query, count: !input.disable_total }),
        input,
        mapKeptTransaction,
      )
    },
  }),
  defineOlder('getTransactionsVerbose', {
    summary: 'Transactions of an address with logs, calls and events in words; at most a hundred at once.',
    input: { address, ...olderRange, ...olderPage },
    cost: 10,
    async run({ context, chain }, given) {
      const input = { ...given, limit: Math.min(given.limit, 100) }
      await needCoverage(context, chain, [{ kind: 'transactions', address: input.address }])
      const { limit, cursor, offset } = input
      const query = { limit, cursor, offset, ...rangeOf(rangeFrom(input)), chain: chain.id, address: input.address }
      const found = await listTransactions(context, { ...query, count: !input.disable_total })
      const whole = await Promise.all(
        found.rows.map(async ({ hash }) => mapVerboseTransaction(await getTransaction(chain, hash as Hex))),
      )
      return toOlderPage(found, input, (_, place) => whole[place])
    },
  }),
  defineOlder('getNativeBalance', {
    summary: "What an address has of the chain's own currency.",
    input: { address, to_block: toBlock },
    holds: true,
    async run({ chain }, { address: owner, to_block }) {
      const { balance } = await getNativeBalance(chain, { address: owner, block: to_block })
      return { balance: balance.toString() }
    },
  }),
  defineOlder('getNativeBalancesForAddresses', {
    summary: "What several addresses have of the chain's own currency, all at one block.",
    input: { wallet_addresses: listOf(address), to_block: toBlock },
    holds: true,
    async run({ chain }, { wallet_addresses, to_block }) {
      const { balances, block } = await getNativeBalances(chain, { addresses: wallet_addresses, block: to_block })
      const total = balances.reduce((sum, balance) => sum + balance, 0n)
      const { decimals } = chain.nativeCurrency
      return [
        {
          chain: chain.name,
          chain_id: `0x${chain.id.toString(16)}`,
          total_balance: total.toString(),
          block_number: String(block.number),
          block_timestamp: toIso(block.timestamp),
          total_balance_formatted: formatUnits(total, decimals),
          wallet_balances: wallet_addresses.map((each, place) => ({
            address: each,
            balance: String(balances[place]),
            balance_formatted: formatUnits(balances[place] ?? 0n, decimals),
          })),
        },
      ]
    },
  }),
  defineOlder('getTokenBalances', {
    summary:
      'The ERC-20 tokens that an address holds: of given tokens, or of all that the index knows it to have touched.',
    input: { address, token_addresses: listOf(address).optional(), to_block: toBlock },
    async run({ context, chain }, { address: owner, token_addresses: tokens, to_block: block }) {
      if (!tokens) await needCoverage(context, chain, [{ kind: 'address', address: owner }])
      const { tokens: found } = await readTokenBalances(context, chain, { owner, tokens, block })
      return found
        .filter(({ balance }) => balance > 0n)
        .map(({ address: token, name, symbol, decimals, balance }) => ({
          token_address: token,
          name: name ?? null,
          symbol: symbol ?? null,
          logo: null,
          thumbnail: null,
          decimals: decimals ?? null,
          balance: balance.toString(),
        }))
    },
  }),
  defineOlder('getTokenTransfers', {
    summary: 'Transfers of ERC-20 tokens from or to an address, the newest first.',
    input: { address, ...olderRange, ...olderPage },
    run: (request, input) => answerTransfers(request, input, { kinds: ['erc20'], address: input.address }),
  }),
  defineOlder('getNFTs', {
    summary: 'The collectibles that an address holds.',
    input: { address, token_addresses: listOf(address).optional(), ...nftFields, ...olderPage },
    run: (request, { address: owner, token_addresses: tokens, ...input }) =>
      answerHoldings(request, input, { owner, tokens }),
  }),
  defineOlder('getNFTTransfers', {
    summary: 'Transfers of collectibles from or to an address, the newest first.',
    input: { address, format, direction: z.enum(['both', 'to', 'from']).default('both'), ...olderRange, ...olderPage },
    run: (request, input) =>
      answerTransfers(request, input, {
        kinds: ['erc721', 'erc1155'],
        address: input.address,
        direction: input.direction,
      }),
  }),
  defineOlder('getWalletNFTCollections', {
    summary: 'The contracts of whose collectibles an address holds any.',
    input: { address, ...olderPage },
    async run({ context, chain }, input) {
      const { status } = await needCoverage(context, chain, [{ kind: 'address', address: input.address }])
      const { limit, cursor, offset } = input
      const query = { limit, cursor, offset, chain: chain.id, owner: input.address, count: !input.disable_total }
      const found = await listCollections(context, query)
      const tokens = found.rows.map(({ token }) => token as Hex)
      const contracts = await unlessDown(getNftContracts(chain, tokens))
      const page = toOlderPage(found, input, ({ token, kind }, place) => ({
        token_address: token,
        contract_type: kind.toUpperCase(),
        name: contracts?.[place]?.name ?? null,
        symbol: contracts?.[place]?.symbol ?? null,
      }))
      return { status, ...page }
    },
  }),
  defineOlder('getNFTsForContract', {
    summary: 'The collectibles of a contract that an address holds.',
    input: { address, token_address: address, ...nftFields, ...olderPage },
    run: (request, { address: owner, token_address, ...input }) =>
      answerHoldings(request, input, { owner, tokens: [token_address] }),
  }),
]
