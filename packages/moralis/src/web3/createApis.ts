import type { Client } from '@countersign/react/core'
import type { Attributes, Loose } from '../Loose.ts'
import { loadLater } from '../loadLater.ts'

export type ApiCall = (options?: Attributes) => Promise<Loose>
type Calls<Name extends string> = { readonly [Each in Name]: ApiCall }

export type Web3Api = {
  readonly native: Calls<
    | 'getBlock'
    | 'getDateToBlock'
    | 'getLogsByAddress'
    | 'getNFTTransfersByBlock'
    | 'getInternalTransactions'
    | 'getTransaction'
    | 'getTransactionVerbose'
    | 'getContractEvents'
    | 'runContractFunction'
  >
  readonly account: Calls<
    | 'getTransactions'
    | 'getTransactionsVerbose'
    | 'getNativeBalance'
    | 'getNativeBalancesForAddresses'
    | 'getTokenBalances'
    | 'getTokenTransfers'
    | 'getNFTs'
    | 'getNFTTransfers'
    | 'getWalletNFTCollections'
    | 'getNFTsForContract'
  >
  readonly token: Calls<
    | 'getTokenMetadata'
    | 'getTokenMetadataBySymbol'
    | 'getTokenPrice'
    | 'getMultipleTokenPrices'
    | 'getTokenAddressTransfers'
    | 'getTokenAllowance'
    | 'getErc20Transfers'
    | 'getErc20Mints'
    | 'getErc20Burns'
    | 'getErc20Approvals'
    | 'getNFTTrades'
    | 'getNFTLowestPrice'
    | 'searchNFTs'
    | 'getNFTTransfersFromToBlock'
    | 'getAllTokenIds'
    | 'getMultipleNFTs'
    | 'getContractNFTTransfers'
    | 'getNFTOwners'
    | 'getNFTMetadata'
    | 'reSyncMetadata'
    | 'getTokenIdMetadata'
    | 'getTokenIdOwners'
    | 'getWalletTokenIdTransfers'
  >
  readonly contract: Calls<'syncNFTContract'>
  readonly resolve: Calls<'resolveDomain' | 'resolveENSDomain' | 'resolveAddress'>
  readonly defi: Calls<'getPairReserves' | 'getPairAddress'>
  readonly storage: Calls<'uploadFolder'>
  readonly info: Calls<'web3ApiVersion' | 'endpointWeights'>
  readonly market_data: Calls<
    | 'getTopERC20TokensByMarketCap'
    | 'getTopERC20TokensByPriceMovers'
    | 'getTopNFTCollectionsByMarketCap'
    | 'getHottestNFTCollectionsByTradingVolume'
  >
  readonly utils: Calls<'reviewContracts'>
  /** Does nothing; older applications call it. */
  initialize(options?: object): void
}

export type SolanaApi = {
  readonly account: Calls<'balance' | 'getSPL' | 'getNFTs' | 'getPortfolio'>
  readonly nft: Calls<'getNFTMetadata'>
  readonly token: Calls<'getTokenPrice'>
  initialize(options?: object): void
}

/** `Moralis.Web3API` and `Moralis.SolanaAPI` of a client: functions of the server, with the older defaults. */
export function createApis(client: Client, findAccount: () => string | null) {
  const evm = 'native account token contract resolve defi storage info market_data utils'
  const Web3API: Web3Api = create(evm, async (name, options) =>
    (await loadLater()).runWeb3Api(client, name, options, findAccount()),
  )
  const SolanaAPI: SolanaApi = create('account nft token', async (name, options) =>
    (await loadLater()).runSolanaApi(client, name, options),
  )
  return { Web3API, SolanaAPI }
}

/** Every property of a group is a function of the server with that name; unknown ones fail there. */
function create(groups: string, call: (name: string, options: Attributes) => Promise<Loose>): Loose {
  const known = new Map<string, ApiCall>()
  const find = (name: string) => {
    const made = known.get(name) ?? ((options = {}) => call(name, options))
    known.set(name, made)
    return made
  }
  const group = new Proxy(Object.freeze({}), {
    // Awaiting or printing the object must not look up a function.
    get: (_, name) => (typeof name === 'string' && name !== 'then' && name !== 'toJSON' ? find(name) : undefined),
  })
  return { ...Object.fromEntries(groups.split(' ').map((name) => [name, group])), initialize: () => undefined }
}
