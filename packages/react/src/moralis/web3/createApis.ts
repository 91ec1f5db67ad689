import { getUser } from '../../core/actions/getUser.ts'
import type { Client } from '../../core/Client.ts'
import { runFunction } from '../../core/functions/runFunction.ts'
import type { Attributes, Loose } from '../Loose.ts'

export type ApiCall = (options?: Attributes) => Promise<Loose>

/** Functions by group; each is asked of the server as `functions/<name>`. */
const evm = {
  native:
    'getBlock getDateToBlock getLogsByAddress getNFTTransfersByBlock getInternalTransactions getTransaction getTransactionVerbose getContractEvents runContractFunction',
  account:
    'getTransactions getTransactionsVerbose getNativeBalance getNativeBalancesForAddresses getTokenBalances getTokenTransfers getNFTs getNFTTransfers getWalletNFTCollections getNFTsForContract',
  token:
    'getTokenMetadata getTokenMetadataBySymbol getTokenPrice getMultipleTokenPrices getTokenAddressTransfers getTokenAllowance getErc20Transfers getErc20Mints getErc20Burns getErc20Approvals getNFTTrades getNFTLowestPrice searchNFTs getNFTTransfersFromToBlock getAllTokenIds getMultipleNFTs getContractNFTTransfers getNFTOwners getNFTMetadata reSyncMetadata getTokenIdMetadata getTokenIdOwners getWalletTokenIdTransfers',
  contract: 'syncNFTContract',
  resolve: 'resolveDomain resolveENSDomain resolveAddress',
  defi: 'getPairReserves getPairAddress',
  storage: 'uploadFolder',
  info: 'web3ApiVersion endpointWeights',
  market_data:
    'getTopERC20TokensByMarketCap getTopERC20TokensByPriceMovers getTopNFTCollectionsByMarketCap getHottestNFTCollectionsByTradingVolume',
  utils: 'reviewContracts',
} as const
const solana = {
  account: 'balance getSPL getNFTs getPortfolio',
  nft: 'getNFTMetadata',
  token: 'getTokenPrice',
} as const

type Names<Text> = Text extends `${infer First} ${infer Rest}` ? First | Names<Rest> : Text & string
type Groups<Table> = { readonly [Group in keyof Table]: { readonly [Name in Names<Table[Group]>]: ApiCall } }
export type Web3Api = Groups<typeof evm> & { initialize(options?: object): void }
export type SolanaApi = Groups<typeof solana> & { initialize(options?: object): void }

/** `Moralis.Web3API` and `Moralis.SolanaAPI` of a client: functions of the server, with the older defaults. */
export function createApis(client: Client, findAccount: () => string | null) {
  const field = (name: string) => Object(getUser(client))[name]
  const run = async (name: string, options: Attributes): Promise<Loose> => {
    const given = Object.entries(options).filter(([, value]) => value !== undefined)
    const answer: Loose = await runFunction(client, name, Object.fromEntries(given), { throwOnError: true })
    return withNext(answer, options, (next) => run(name, next))
  }
  const Web3API = create(evm, (name, options) => {
    const address = options.address || field('ethAddress') || findAccount()
    return run(name, { chain: 'eth', ...options, ...(address && { address }) })
  })
  const SolanaAPI = create(solana, (name, options) => {
    const address = options.address || field('solAddress')
    const defaults = { network: 'mainnet', responseType: 'native' }
    return run(`sol-${name}`, { ...defaults, ...options, ...(address && { address }) })
  })
  return { Web3API: Web3API as Web3Api, SolanaAPI: SolanaAPI as SolanaApi }
}

function create(table: Record<string, string>, call: (name: string, options: Attributes) => Promise<Loose>): Loose {
  const groups = Object.entries(table).map(([group, names]) => {
    const calls = names.split(' ').map((name) => [name, (options: Attributes = {}) => call(name, options)])
    return [group, Object.fromEntries(calls)]
  })
  // There is nothing to set up; applications call it all the same.
  return { ...Object.fromEntries(groups), initialize: () => undefined }
}

/** A page has `next`, while there is one. */
function withNext(answer: Loose, options: Attributes, ask: (options: Attributes) => Promise<Loose>): Loose {
  const { page, page_size, total, cursor }: Attributes = Object(answer)
  if (page === undefined || page_size === undefined || total === undefined) return answer
  if (cursor) return { ...answer, next: () => ask({ ...options, cursor }) }
  if (!(total > page_size * (page + 1)) || options.cursor) return { ...answer }
  return { ...answer, next: () => ask({ ...options, offset: (page + 1) * (options.limit || 500) }) }
}
