export type { CallsStatus, Capabilities } from './core/chain/CallsInput.ts'
export type { SentTransaction } from './core/chain/ChainOptions.ts'
export type { ReadContractInput, WriteContractInput } from './core/chain/ContractInput.ts'
export type {
  Avatar,
  ChainId,
  ChainInfo,
  ChainRef,
  EnsAddress,
  EnsName,
  NativeBalance,
  Nft,
  Portfolio,
  Token,
  TokenBalance,
  TokenPrice,
  Transaction,
  Transfer,
} from './core/chain/data/ChainData.ts'
export type { ContractEvent, ContractEventsInput, WaitForReceiptInput } from './core/chain/FollowInputs.ts'
export type { SignTypedDataInput } from './core/chain/SignTypedDataInput.ts'
export type { Chain } from './core/state/Connector.ts'
export { shortenAddress } from './core/wallet/shortenAddress.ts'
export { useCallsStatus, useCapabilities, useSendCalls } from './hooks/chain/useCalls.ts'
export {
  useChains,
  useEnsAddress,
  useEnsName,
  useNativeBalance,
  useNfts,
  usePortfolio,
  useToken,
  useTokenBalances,
  useTokenPrice,
  useTransactions,
  useTransfers,
} from './hooks/chain/useChainData.ts'
export { useReadContract, useSendTransaction, useSendTransfer, useWriteContract } from './hooks/chain/useContract.ts'
export {
  useBlockNumber,
  useContractEvents,
  useSignTypedData,
  useWaitForReceipt,
} from './hooks/chain/useFollowChain.ts'
export { useAddChain, useSignMessage, useSwitchChain } from './hooks/wallet/useWallet.ts'
