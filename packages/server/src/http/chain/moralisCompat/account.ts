import { listCollections } from '../../../chain/index/queries/listHoldings.ts'
import { listTransactions } from '../../../chain/index/queries/listTransactions.ts'
import type { Hex } from '../../../chain/nodes/Chain.ts'
import { getNativeBalance, getNativeBalances } from '../../../chain/reads/nativeBalances.ts'
import { getNftContracts } from '../../../chain/reads/tokens.ts'
import { getTransaction } from '../../../chain/reads/transactions.ts'
import type { Endpoint, Sent } from '../../../endpoint/Endpoint.ts'
import { ignoreNodeFailure, listCounted, requireIndexCoverage } from '../answers.ts'
import { formatUnits, toIso } from '../describe.ts'
import { rangeOf } from '../ranges.ts'
import { readTokenBalances } from '../readTokens.ts'
import { type CompatRequest, defineCompatFunction } from './defineCompatFunction.ts'
import { rangeFrom, toCompatPage } from './map.ts'
import { mapKeptTransaction, mapVerboseTransaction } from './mapTransaction.ts'
import { answerHoldings, answerNftTransfers, answerTokenTransfers } from './transfers.ts'

export const accountFunctions: Endpoint[] = [
  defineCompatFunction('getTransactions', {
    async run(request, input) {
      const { context, chain } = request
      if (isFromPlainHelper(request.sent)) return listPlainTransactions(request, input.address)
      const coverage = await requireIndexCoverage(request, [{ kind: 'transactions', address: input.address }])
      const { limit, cursor, offset } = input
      const query = { limit, cursor, offset, ...rangeOf(rangeFrom(input)), chain: chain.id, address: input.address }
      return toCompatPage(
        await listCounted(context, coverage, listTransactions, { ...query, count: !input.disable_total }),
        input,
        mapKeptTransaction,
      )
    },
  }),
  defineCompatFunction('getTransactionsVerbose', {
    cost: 10,
    async run({ context, caller, chain }, given) {
      const input = { ...given, limit: Math.min(given.limit, 100) }
      const coverage = await requireIndexCoverage({ context, caller, chain }, [
        { kind: 'transactions', address: input.address },
      ])
      const { limit, cursor, offset } = input
      const query = { limit, cursor, offset, ...rangeOf(rangeFrom(input)), chain: chain.id, address: input.address }
      const found = await listCounted(context, coverage, listTransactions, { ...query, count: !input.disable_total })
      const whole = await Promise.all(
        found.rows.map(async ({ hash }) => mapVerboseTransaction(await getTransaction(chain, hash as Hex))),
      )
      return toCompatPage({ ...found, rows: whole }, input, (each) => each)
    },
  }),
  defineCompatFunction('getNativeBalance', {
    holds: true,
    async run({ chain }, { address: owner, to_block }) {
      const { balance } = await getNativeBalance(chain, { address: owner, block: to_block })
      return { balance: balance.toString() }
    },
  }),
  defineCompatFunction('getNativeBalancesForAddresses', {
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
  defineCompatFunction('getTokenBalances', {
    async run({ context, caller, chain }, { address: owner, token_addresses: tokens, to_block: block }) {
      if (!tokens) await requireIndexCoverage({ context, caller, chain }, [{ kind: 'address', address: owner }])
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
  defineCompatFunction('getTokenTransfers', {
    run: (request, input) => answerTokenTransfers(request, input, { kinds: ['erc20'], address: input.address }),
  }),
  defineCompatFunction('getNFTs', {
    run: (request, { address: owner, token_addresses: tokens, ...input }) =>
      answerHoldings(request, input, { owner, tokens }),
  }),
  defineCompatFunction('getNFTTransfers', {
    run: (request, input) =>
      answerNftTransfers(request, input, {
        kinds: ['erc721', 'erc1155'],
        address: input.address,
        direction: input.direction,
      }),
  }),
  defineCompatFunction('getWalletNFTCollections', {
    async run({ context, caller, chain }, input) {
      const { status } = await requireIndexCoverage({ context, caller, chain }, [
        { kind: 'address', address: input.address },
      ])
      const { limit, cursor, offset } = input
      const query = { limit, cursor, offset, chain: chain.id, owner: input.address, count: !input.disable_total }
      const found = await listCollections(context, query)
      const tokens = found.rows.map(({ token }) => token as Hex)
      const contracts = await ignoreNodeFailure(getNftContracts(chain, tokens))
      const page = toCompatPage(found, input, ({ token, kind }, place) => ({
        token_address: token,
        contract_type: kind.toUpperCase(),
        name: contracts?.[place]?.name ?? null,
        symbol: contracts?.[place]?.symbol ?? null,
      }))
      return { status, ...page }
    },
  }),
  defineCompatFunction('getNFTsForContract', {
    run: (request, { address: owner, token_address, ...input }) =>
      answerHoldings(request, input, { owner, tokens: [token_address] }),
  }),
]

/**
 * Detects a helper older than the data API with the same name: it calls functions in the general form, which sends
 * text, while the data API sends JSON.
 */
const isFromPlainHelper = (sent: Sent | undefined) => sent?.headers['content-type']?.startsWith('text/plain') === true

/** Result of that helper: a plain list. */
async function listPlainTransactions({ context, caller, chain }: CompatRequest, address: string) {
  await requireIndexCoverage({ context, caller, chain }, [{ kind: 'transactions', address }])
  const { rows } = await listTransactions(context, { chain: chain.id, address, limit: 500 })
  return rows.map(mapKeptTransaction)
}
