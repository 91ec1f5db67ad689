export {
  type Acl,
  type AppEndpointName as EndpointName,
  CountersignError,
  type CountersignErrorOptions,
  type EndpointTypes,
  errorCodes,
  type RateLimit,
} from '@countersign/protocol'
export * from './components/CountersignProvider.tsx'
export type { Language } from './components/i18n/languages.ts'
export type { SheetMessages } from './components/i18n/messages.ts'
export type * from './core/account/inputs.ts'
export type { PreviewAccountMergeInput } from './core/account/mergeAccounts.ts'
export { findSecondStep, type SecondStep, type SignInWithSecondFactorInput } from './core/account/secondFactor.ts'
export type * from './core/chain/ChainOptions.ts'
export type * from './core/chain/ContractInput.ts'
export type * from './core/chain/data/ChainData.ts'
export type {
  Client,
  ClientOptions,
  InitializationState,
  InitialSession,
  ReadDefaults,
  StorageAdapter,
  SyncStorage,
} from './core/client/Client.ts'
export type { ActionOptions, Callbacks, Result } from './core/client/runAction.ts'
export type { GetOptions } from './core/documents/findDocuments.ts'
export { op, where } from './core/documents/namespaces.ts'
export {
  defineQuery,
  type Operators,
  type Query,
  type QueryOptions,
  relationQuery,
  type Where,
} from './core/documents/Query.ts'
export type { CloudFunctionInput, CloudFunctionName, CloudFunctionOutput } from './core/documents/runFunction.ts'
export type { Optimistic } from './core/documents/SaveOptions.ts'
export type { Saved } from './core/documents/saveDocuments.ts'
export type * from './core/documents/UploadFileInput.ts'
export * from './core/documents/values.ts'
export type { Distance, SearchOptions } from './core/documents/where.ts'
export type * from './core/errors/ActionError.ts'
export {
  MissingProviderError,
  NotAuthenticatedError,
  PasskeyError,
  type PasskeyErrorReason,
  ProviderError,
  type Revert,
  RevertError,
  ValidationError,
  WrongChainError,
} from './core/errors/errors.ts'
export { ReauthenticationRequiredError, UserRejectedError } from './core/errors/reasonErrors.ts'
export type * from './core/live/SubscribeInput.ts'
export type { ActionState, Run, RunOptional, RunPlain } from './core/readings/createMutation.ts'
export { isPasskeySupported } from './core/session/askPasskey.ts'
export type * from './core/session/FarcasterInput.ts'
export type { SignInWithFarcasterInput } from './core/session/farcaster.ts'
export type * from './core/session/ProviderInput.ts'
export { type SignInWithProviderInput, takeProviderResponse } from './core/session/providers.ts'
export type {
  RequestEmailCodeInput,
  RequestedEmailCode,
  SignInWithEmailCodeInput,
  SignInWithEmailLinkInput,
} from './core/session/signInWithEmailCode.ts'
export type { SignInWithPasswordInput } from './core/session/signInWithPassword.ts'
export type { SignInWithRecoveryCodeInput } from './core/session/signInWithRecoveryCode.ts'
export { type AcceptInvitationInput, acceptInvitation, type SignUpInput } from './core/session/signUp.ts'
export * from './core/setup/createClient.ts'
export type { InitializeInput } from './core/setup/initialize.ts'
export type * from './core/state/AsyncState.ts'
export type * from './core/state/Connector.ts'
export type { Store } from './core/state/createStore.ts'
export type { LiveState } from './core/state/LiveWire.ts'
export type * from './core/state/SessionState.ts'
export type { AccountMismatch, ConnectedWallet, WalletState } from './core/state/WalletState.ts'
export type { Changes, NewFields, SaveInput, UserChanges } from './core/values/Changes.ts'
export type * from './core/values/Document.ts'
export type * from './core/values/FieldValue.ts'
export type * from './core/values/Register.ts'
export type * from './core/values/records.ts'
export type * from './core/values/User.ts'
export * from './core/wallet/connectors/createDemoConnector.ts'
export * from './core/wallet/connectors/createEip1193Connector.ts'
export * from './core/wallet/connectors/createEip1193Signer.ts'
export { createInjectedConnector, type InjectedOptions } from './core/wallet/connectors/createInjectedConnector.ts'
export * from './core/wallet/connectors/createNetworkConnector.ts'
export type { ConnectWalletInput } from './core/wallet/connectWallet.ts'
export * from './core/wallet/shortenAddress.ts'
export type { SignMessageInput } from './core/wallet/signMessage.ts'
export type { SwitchChainInput } from './core/wallet/switchChain.ts'
export * from './hooks/account/useAccount.ts'
export * from './hooks/account/useEmail.ts'
export * from './hooks/account/useLinkedWallets.ts'
export * from './hooks/account/useMergeAccounts.ts'
export * from './hooks/account/usePasskeys.ts'
export * from './hooks/account/usePassword.ts'
export * from './hooks/account/useSecondFactor.ts'
export * from './hooks/account/useSecurity.ts'
export * from './hooks/account/useSessions.ts'
export * from './hooks/chain/useCalls.ts'
export * from './hooks/chain/useChainData.ts'
export * from './hooks/chain/useContract.ts'
export { useClient } from './hooks/client/useClient.ts'
export type { PlainReadOptions, ReadOptions, UseAsync } from './hooks/client/useReading.ts'
export * from './hooks/documents/useConfig.ts'
export * from './hooks/documents/useDocumentPages.ts'
export * from './hooks/documents/useDocuments.ts'
export * from './hooks/documents/useFunction.ts'
export * from './hooks/documents/useLiveDocuments.ts'
export * from './hooks/documents/useSaveDocument.ts'
export * from './hooks/documents/useUpload.ts'
export * from './hooks/session/useFarcaster.ts'
export * from './hooks/session/useProviders.ts'
export * from './hooks/session/useSession.ts'
export * from './hooks/session/useSignIn.ts'
export * from './hooks/session/useSignInWithEmailCode.ts'
export * from './hooks/wallet/useWallet.ts'
