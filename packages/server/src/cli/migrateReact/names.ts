/** The module that is left, and the one that takes its place. */
export const oldModule = 'react-moralis'
export const newModule = '@countersign/moralis'

/** The older SDK, under all the names that it was published by. */
export const sdkModule = /^(moralis|moralis-v1)(\/.*)?$/

/** Component packages that carry a react-moralis of their own inside. */
export const kitModule = /^(web3uikit|@web3uikit\/(core|web3))$/

/** Runtime exports of react-moralis. */
export const exportedNames = new Set([
  'ByMoralis',
  'MoralisContext',
  'MoralisProvider',
  'NoMoralisContextProviderError',
  'NotAuthenticatedError',
  'ReactMoralisError',
  'ValidationError',
  'getChain',
  'getSupportedChains',
  'resolveIPFS',
  'useApiContract',
  'useChain',
  'useERC20Balances',
  'useERC20Transfers',
  'useEnsAddress',
  'useEnsName',
  'useFiatBuy',
  'useMoralis',
  'useMoralisCloudFunction',
  'useMoralisFile',
  'useMoralisQuery',
  'useMoralisSolanaApi',
  'useMoralisSolanaCall',
  'useMoralisSubscription',
  'useMoralisWeb3Api',
  'useMoralisWeb3ApiCall',
  'useNFTBalances',
  'useNFTTransfers',
  'useNativeBalance',
  'useNativeTransactions',
  'useNewMoralisObject',
  'useOneInchQuote',
  'useOneInchSwap',
  'useOneInchTokens',
  'useOpenSeaAsset',
  'useOpenSeaBuyOrder',
  'useOpenSeaOrders',
  'useOpenSeaSellOrder',
  'useRaribleLazyMint',
  'useRaribleSellOrder',
  'useTokenPrice',
  'useWeb3Contract',
  'useWeb3ExecuteFunction',
  'useWeb3Transfer',
])

export const pluginHook = /^use(OneInch|OpenSea|Rarible|Fiat)/
