'use client'

export { ByMoralis } from './ByMoralis.tsx'
export type { AuthenticateOptions, LoginOptions, SetUserData, Web3EnableOptions } from './ContextActs.ts'
export type { MoralisStatic } from './createMoralisObject.ts'
export { NoMoralisContextProviderError, NotAuthenticatedError, ReactMoralisError, ValidationError } from './errors.ts'
export { useERC20Balances, useERC20Transfers, useNFTTransfers } from './hooks/accountHooks.ts'
export { useApiContract } from './hooks/useApiContract.ts'
export { useChain } from './hooks/useChain.ts'
export { useEnsAddress, useEnsName } from './hooks/useEns.ts'
export { useMoralis } from './hooks/useMoralis.ts'
export { useMoralisCloudFunction } from './hooks/useMoralisCloudFunction.ts'
export { type MoralisFileSaveOptions, useMoralisFile } from './hooks/useMoralisFile.ts'
export { type OnLiveHandler, type UseMoralisQueryOptions, useMoralisQuery } from './hooks/useMoralisQuery.ts'
export { useMoralisSubscription } from './hooks/useMoralisSubscription.ts'
export {
  useMoralisSolanaApi,
  useMoralisSolanaCall,
  useMoralisWeb3Api,
  useMoralisWeb3ApiCall,
} from './hooks/useMoralisWeb3Api.ts'
export { useNativeBalance } from './hooks/useNativeBalance.ts'
export { useNativeTransactions } from './hooks/useNativeTransactions.ts'
export { type MoralisObjectSaveOptions, useNewMoralisObject } from './hooks/useNewMoralisObject.ts'
export { useNFTBalances } from './hooks/useNFTBalances.ts'
export type { ResolveCall, ResolveCallOptions, UseResolveCallOptions } from './hooks/useResolveCall.ts'
export { useTokenPrice } from './hooks/useTokenPrice.ts'
export { useWeb3Contract, useWeb3ExecuteFunction } from './hooks/useWeb3ExecuteFunction.ts'
export { useWeb3Transfer } from './hooks/useWeb3Transfer.ts'
export type { Attributes } from './Loose.ts'
export {
  type AuthError,
  type Authentication,
  type AuthenticationState,
  MoralisContext,
  type MoralisContextValue,
} from './MoralisContext.ts'
export { MoralisProvider, type MoralisProviderProps } from './MoralisProvider.tsx'
export type { MoralisAcl } from './parse/MoralisAcl.ts'
export type { MoralisFile } from './parse/MoralisFile.ts'
export type { MoralisGeoPoint } from './parse/MoralisGeoPoint.ts'
export type { MoralisObject, MoralisQuery, MoralisSubscription } from './parse/MoralisObject.ts'
export type { MoralisUser } from './parse/MoralisUser.ts'
export type { UseSubscriptionOptions } from './parse/SubscriptionOptions.ts'
export { useOneInchQuote, useOneInchSwap, useOneInchTokens } from './plugins/oneInch.ts'
export { useOpenSeaAsset, useOpenSeaBuyOrder, useOpenSeaOrders, useOpenSeaSellOrder } from './plugins/openSea.ts'
export { useRaribleLazyMint, useRaribleSellOrder } from './plugins/rarible.ts'
export { useFiatBuy } from './plugins/useFiatBuy.ts'
export { resolveIPFS } from './resolveIPFS.ts'
export type { MoralisCallbacks } from './runCall.ts'
export { getChain, getSupportedChains, type MoralisChain } from './web3/chains.ts'
export type { ExecuteFunctionInput } from './web3/executeFunction.ts'
export type { MoralisSigner, MoralisWeb3Provider } from './web3/MoralisWeb3Provider.ts'
export type { Web3TransferInput } from './web3/transfer.ts'
