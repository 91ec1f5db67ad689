export {
  type Acl,
  type AppEndpointName as EndpointName,
  CountersignError,
  type CountersignErrorOptions,
  type EndpointTypes,
  errorCodes,
  type RateLimit,
} from '@countersign/protocol'
export { CountersignProvider, type CountersignProviderProps } from './components/CountersignProvider.tsx'
export type { Language } from './components/i18n/languages.ts'
export type { SheetMessages } from './components/i18n/messages.ts'
export type {
  AccountExport,
  ChangePasswordInput,
  ConfirmTotpInput,
  IdentityInput,
  ListActivityInput,
  MergeAccountsInput,
  ReauthenticateInput,
  Reauthentication,
  RegisterPasskeyInput,
  RemovePasskeyInput,
  RequestEmailVerificationInput,
  RequestPasswordResetInput,
  ResetPasswordInput,
  RestorePasskeyInput,
  RestoreWalletInput,
  RevokeSessionInput,
  Role,
  SecondFactor,
  StartedTotp,
  StartTotpInput,
  UndoAccountMergeInput,
  UndoEmailChangeInput,
  UnlinkWalletInput,
  UpdateAccountSecurityInput,
  UpdateSecondFactorInput,
  UpdateWalletInput,
  VerifyEmailInput,
} from './core/account/inputs.ts'
export type { PreviewAccountMergeInput } from './core/account/mergeAccounts.ts'
export { findSecondStep, type SecondStep, type SignInWithSecondFactorInput } from './core/account/secondFactor.ts'
export type {
  ChainOptions,
  SendOptions,
  SendTransactionInput,
  SendTransferInput,
  SentTransaction,
} from './core/chain/ChainOptions.ts'
export type {
  FunctionArgs,
  FunctionName,
  FunctionResult,
  ReadContractInput,
  WriteContractInput,
} from './core/chain/ContractInput.ts'
export type {
  AddressInput,
  AddressOfInput,
  Avatar,
  ChainId,
  ChainInfo,
  ChainInput,
  ChainRef,
  ChainResult,
  ChainResultPage,
  NativeBalance,
  NativeBalanceInput,
  Nft,
  NftsInput,
  Portfolio,
  PortfolioInput,
  Token,
  TokenBalance,
  TokenBalancesInput,
  TokenInput,
  TokenPrice,
  TokenPriceInput,
  Transaction,
  TransactionsInput,
  Transfer,
  TransferKind,
  TransfersInput,
} from './core/chain/data/ChainData.ts'
export type {
  Client,
  ClientOptions,
  InitializationState,
  InitialSession,
  StorageAdapter,
  SyncStorage,
} from './core/client/Client.ts'
export type { ActionOptions, Callbacks, Result } from './core/client/runAction.ts'
export type { GetOptions } from './core/documents/findDocuments.ts'
// Metro's own transformer does not know `export * as`.
export { op, where } from './core/documents/namespaces.ts'
export type { Operators, Query, QueryOptions, Where } from './core/documents/Query.ts'
export { defineQuery, relationQuery } from './core/documents/Query.ts'
export type {
  CloudFunctionInput,
  CloudFunctionName,
  CloudFunctionOutput,
} from './core/documents/runFunction.ts'
export type { Optimistic } from './core/documents/SaveOptions.ts'
export type { Saved } from './core/documents/saveDocuments.ts'
export type { UploadFileInput } from './core/documents/UploadFileInput.ts'
export { bytes, geoPoint, pointer, polygon, readBytes } from './core/documents/values.ts'
export type { Distance, SearchOptions } from './core/documents/where.ts'
export type { ActionError, ActionReason, CommonReason } from './core/errors/ActionError.ts'
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
export type { SubscribeInput, SubscriptionHandlers } from './core/live/SubscribeInput.ts'
export type { ActionState, Run, RunOptional, RunPlain } from './core/readings/createMutation.ts'
export { isPasskeySupported } from './core/session/askPasskey.ts'
export type { FarcasterChallenge, FarcasterInput, FarcasterSign } from './core/session/FarcasterInput.ts'
export type { SignInWithFarcasterInput } from './core/session/farcaster.ts'
export type { ProviderInput } from './core/session/ProviderInput.ts'
export type { SignInWithProviderInput } from './core/session/providers.ts'
export { takeProviderResponse } from './core/session/providers.ts'
export type {
  RequestEmailCodeInput,
  RequestedEmailCode,
  SignInWithEmailCodeInput,
  SignInWithEmailLinkInput,
} from './core/session/signInWithEmailCode.ts'
export type { SignInWithPasswordInput } from './core/session/signInWithPassword.ts'
export type { SignInWithRecoveryCodeInput } from './core/session/signInWithRecoveryCode.ts'
export { type AcceptInvitationInput, acceptInvitation, type SignUpInput } from './core/session/signUp.ts'
export { createClient } from './core/setup/createClient.ts'
export type { InitializeInput } from './core/setup/initialize.ts'
export type { AsyncState } from './core/state/AsyncState.ts'
export type {
  Chain,
  ConnectOptions,
  Connector,
  ConnectorKind,
  Eip1193Provider,
  Signer,
  SignerAccount,
  SignerInput,
  WalletConnection,
  WalletEvent,
} from './core/state/Connector.ts'
export type { Store } from './core/state/createStore.ts'
export type { LiveState } from './core/state/LiveWire.ts'
export type { SessionOperation, SessionState } from './core/state/SessionState.ts'
export type { AccountMismatch, ConnectedWallet, WalletState } from './core/state/WalletState.ts'
export type { Changes, NewFields, SaveInput, UserChanges } from './core/values/Changes.ts'
export type {
  Bytes,
  Doc,
  GeoPoint,
  Pointer,
  Polygon,
  Ref,
  Relation,
  StoredFile,
} from './core/values/Document.ts'
export type { FieldValue } from './core/values/FieldValue.ts'
export type { ClassName, FieldsOf, Register } from './core/values/Register.ts'
export type {
  AccountSecurity,
  Activity,
  Identity,
  Mail,
  MergePreview,
  Passkey,
  Session,
  SignInMethods,
  UndoDeadline,
  Wallet,
} from './core/values/records.ts'
export type { User } from './core/values/User.ts'
export { createDemoConnector, type DemoOptions } from './core/wallet/connectors/createDemoConnector.ts'
export { createEip1193Connector, type Eip1193Info } from './core/wallet/connectors/createEip1193Connector.ts'
export { createEip1193Signer } from './core/wallet/connectors/createEip1193Signer.ts'
export { createInjectedConnector, type InjectedOptions } from './core/wallet/connectors/createInjectedConnector.ts'
export { createNetworkConnector, type NetworkOptions } from './core/wallet/connectors/createNetworkConnector.ts'
export type { ConnectWalletInput } from './core/wallet/connectWallet.ts'
export { shortenAddress } from './core/wallet/shortenAddress.ts'
export type { SignMessageInput } from './core/wallet/signMessage.ts'
export type { SwitchChainInput } from './core/wallet/switchChain.ts'
export {
  type UseDeleteUser,
  type UseExportAccount,
  type UseRefetchUser,
  type UseSaveUser,
  useDeleteUser,
  useExportAccount,
  useRefetchUser,
  useSaveUser,
} from './hooks/account/useAccount.ts'
export {
  type UseRequestEmailVerification,
  type UseUndoEmailChange,
  type UseVerifyEmail,
  useOutbox,
  useRequestEmailVerification,
  useUndoEmailChange,
  useVerifyEmail,
} from './hooks/account/useEmail.ts'
export {
  type UseLinkWallet,
  type UseRestoreWallet,
  type UseUnlinkWallet,
  type UseUpdateWallet,
  useLinkedWallets,
  useLinkWallet,
  useRestoreWallet,
  useUnlinkWallet,
  useUpdateWallet,
} from './hooks/account/useLinkedWallets.ts'
export {
  type UseMergeAccounts,
  type UsePreviewAccountMerge,
  type UseUndoAccountMerge,
  useMergeAccounts,
  usePreviewAccountMerge,
  useUndoAccountMerge,
} from './hooks/account/useMergeAccounts.ts'
export {
  type UseRegisterPasskey,
  type UseRemovePasskey,
  type UseRestorePasskey,
  usePasskeys,
  useRegisterPasskey,
  useRemovePasskey,
  useRestorePasskey,
} from './hooks/account/usePasskeys.ts'
export {
  type UseChangePassword,
  type UseRequestPasswordReset,
  type UseResetPassword,
  useChangePassword,
  useRequestPasswordReset,
  useResetPassword,
} from './hooks/account/usePassword.ts'
export {
  type UseConfirmTotp,
  type UseForgetDevices,
  type UseRemoveSecondFactor,
  type UseSignInWithSecondFactor,
  type UseStartTotp,
  type UseUpdateSecondFactor,
  useConfirmTotp,
  useForgetDevices,
  useRemoveSecondFactor,
  useSecondFactor,
  useSignInWithSecondFactor,
  useStartTotp,
  useUpdateSecondFactor,
} from './hooks/account/useSecondFactor.ts'
export {
  type UseCreateRecoveryCodes,
  type UseUpdateAccountSecurity,
  useAccountSecurity,
  useActivity,
  useCreateRecoveryCodes,
  useRoles,
  useSignInMethods,
  useUpdateAccountSecurity,
} from './hooks/account/useSecurity.ts'
export {
  type UseRevokeOtherSessions,
  type UseRevokeSession,
  useRevokeOtherSessions,
  useRevokeSession,
  useSessions,
} from './hooks/account/useSessions.ts'
export type { EnsAddress, EnsName, UseChainData, UseChainPages } from './hooks/chain/useChainData.ts'
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
export {
  type UseSendTransaction,
  type UseSendTransfer,
  type UseWriteContract,
  useReadContract,
  useSendTransaction,
  useSendTransfer,
  useWriteContract,
} from './hooks/chain/useContract.ts'
export { useClient } from './hooks/client/useClient.ts'
export type { PlainReadOptions, ReadOptions, UseAsync } from './hooks/client/useReading.ts'
export { type UseDocumentPages, useDocumentPages } from './hooks/documents/useDocumentPages.ts'
export { useDocument, useDocumentCount, useDocuments } from './hooks/documents/useDocuments.ts'
export { type UseFunction, type UseRunFunction, useFunction, useRunFunction } from './hooks/documents/useFunction.ts'
export { type UseSubscription, useLiveDocuments, useSubscription } from './hooks/documents/useLiveDocuments.ts'
export {
  type UseDeleteDocument,
  type UseSaveDocument,
  useDeleteDocument,
  useSaveDocument,
} from './hooks/documents/useSaveDocument.ts'
export { type UseUpload, useUpload } from './hooks/documents/useUpload.ts'
export {
  type UseLinkFarcaster,
  type UseSignInWithFarcaster,
  useLinkFarcaster,
  useSignInWithFarcaster,
} from './hooks/session/useFarcaster.ts'
export {
  type UseLinkProvider,
  type UseRestoreIdentity,
  type UseSignInWithProvider,
  type UseUnlinkIdentity,
  useLinkProvider,
  useProviders,
  useRestoreIdentity,
  useSignInWithProvider,
  useUnlinkIdentity,
} from './hooks/session/useProviders.ts'
export { type UseInitialization, useInitialization, useSession, useUser } from './hooks/session/useSession.ts'
export {
  type UseReauthenticate,
  type UseSignInWithPasskey,
  type UseSignInWithPassword,
  type UseSignInWithRecoveryCode,
  type UseSignInWithWallet,
  type UseSignOut,
  type UseSignUp,
  useReauthenticate,
  useSignInWithPasskey,
  useSignInWithPassword,
  useSignInWithRecoveryCode,
  useSignInWithWallet,
  useSignOut,
  useSignUp,
} from './hooks/session/useSignIn.ts'
export {
  type UseRequestEmailCode,
  type UseSignInWithEmailCode,
  type UseSignInWithEmailLink,
  useRequestEmailCode,
  useSignInWithEmailCode,
  useSignInWithEmailLink,
} from './hooks/session/useSignInWithEmailCode.ts'
export {
  type UseAccountMismatch,
  type UseAddChain,
  type UseConnectWallet,
  type UseDisconnectWallet,
  type UseSignMessage,
  type UseSwitchChain,
  useAccountMismatch,
  useAddChain,
  useConnectors,
  useConnectWallet,
  useDisconnectWallet,
  useSignMessage,
  useSwitchChain,
  useWallet,
} from './hooks/wallet/useWallet.ts'
