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
export type { Language, SheetMessages } from './components/i18n/languages.ts'
export type { AccountExport } from './core/actions/account/account.ts'
export type { UpdateAccountSecurityInput } from './core/actions/account/accountSecurity.ts'
export type { ListActivityInput } from './core/actions/account/activity.ts'
export type {
  RequestEmailVerificationInput,
  UndoEmailChangeInput,
  VerifyEmailInput,
} from './core/actions/account/email.ts'
export type { RestoreWalletInput, UnlinkWalletInput, UpdateWalletInput } from './core/actions/account/linkedWallets.ts'
export type {
  MergeAccountsInput,
  PreviewAccountMergeInput,
  UndoAccountMergeInput,
} from './core/actions/account/mergeAccounts.ts'
export type { RegisterPasskeyInput, RemovePasskeyInput, RestorePasskeyInput } from './core/actions/account/passkeys.ts'
export type {
  ChangePasswordInput,
  RequestPasswordResetInput,
  ResetPasswordInput,
} from './core/actions/account/passwords.ts'
export {
  type ConfirmTotpInput,
  findSecondStep,
  type SecondFactor,
  type SecondStep,
  type SignInWithSecondFactorInput,
  type StartedTotp,
  type StartTotpInput,
  type UpdateSecondFactorInput,
} from './core/actions/account/secondFactor.ts'
export type { RevokeSessionInput } from './core/actions/account/sessions.ts'
export type { InitializeInput } from './core/actions/initialize.ts'
export type { Role } from './core/actions/roles.ts'
export type {
  CloudFunctionInput,
  CloudFunctionName,
  CloudFunctionOutput,
} from './core/actions/runFunction.ts'
export type {
  FarcasterChallenge,
  FarcasterInput,
  FarcasterSign,
  SignInWithFarcasterInput,
} from './core/actions/signIn/farcaster.ts'
export type { IdentityInput, ProviderInput, SignInWithProviderInput } from './core/actions/signIn/providers.ts'
export { takeProviderResponse } from './core/actions/signIn/providers.ts'
export type { ReauthenticateInput, Reauthentication } from './core/actions/signIn/reauthenticate.ts'
export type {
  RequestEmailCodeInput,
  RequestedEmailCode,
  SignInWithEmailCodeInput,
  SignInWithEmailLinkInput,
} from './core/actions/signIn/signInWithEmailCode.ts'
export type { SignInWithPasswordInput } from './core/actions/signIn/signInWithPassword.ts'
export type { SignInWithRecoveryCodeInput } from './core/actions/signIn/signInWithRecoveryCode.ts'
export { type AcceptInvitationInput, acceptInvitation, type SignUpInput } from './core/actions/signIn/signUp.ts'
export type { UploadFileInput } from './core/actions/uploadFile.ts'
export type { ConnectWalletInput } from './core/actions/wallet/connectWallet.ts'
export type {
  FunctionArgs,
  FunctionName,
  FunctionResult,
  ReadContractInput,
} from './core/actions/wallet/readContract.ts'
export type { SendTransactionInput } from './core/actions/wallet/sendTransaction.ts'
export type { SendTransferInput } from './core/actions/wallet/sendTransfer.ts'
export type { SignMessageInput } from './core/actions/wallet/signMessage.ts'
export type { SwitchChainInput } from './core/actions/wallet/switchChain.ts'
export type { WriteContractInput } from './core/actions/wallet/writeContract.ts'
export type {
  Client,
  ClientOptions,
  InitializationState,
  InitialSession,
  StorageAdapter,
  SyncStorage,
} from './core/Client.ts'
export type { ChainOptions, SendOptions, SentTransaction } from './core/chain/ChainOptions.ts'
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
} from './core/chainData/ChainData.ts'
export { createClient } from './core/createClient.ts'
export type { Changes, NewFields, SaveInput, UserChanges } from './core/documents/Changes.ts'
export type {
  Bytes,
  Doc,
  GeoPoint,
  Pointer,
  Polygon,
  Ref,
  Relation,
  StoredFile,
} from './core/documents/Document.ts'
export type { GetOptions } from './core/documents/findDocuments.ts'
// Metro's own transformer does not know `export * as`.
export { op, where } from './core/documents/namespaces.ts'
export type { Operators, Query, QueryOptions, Where } from './core/documents/Query.ts'
export { defineQuery, relationQuery } from './core/documents/Query.ts'
export type { ClassName, FieldsOf, Register } from './core/documents/Register.ts'
export type { Optimistic, Saved } from './core/documents/saveDocuments.ts'
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
export type { FieldValue } from './core/FieldValue.ts'
export type { LiveState } from './core/live/LiveWire.ts'
export type { SubscribeInput, SubscriptionHandlers } from './core/live/subscribe.ts'
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
} from './core/records.ts'
export type { ActionOptions, Callbacks, Result } from './core/runAction.ts'
export type { SessionOperation, SessionState } from './core/SessionState.ts'
export { isPasskeySupported } from './core/session/askPasskey.ts'
export type { ActionState, Run, RunOptional, RunPlain } from './core/state/createMutation.ts'
export type { AsyncState } from './core/state/createReading.ts'
export type { Store } from './core/state/createStore.ts'
export type { User } from './core/User.ts'
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
} from './core/wallet/Connector.ts'
export { createDemoConnector, type DemoOptions } from './core/wallet/connectors/createDemoConnector.ts'
export { createEip1193Connector, type Eip1193Info } from './core/wallet/connectors/createEip1193Connector.ts'
export { createEip1193Signer } from './core/wallet/connectors/createEip1193Signer.ts'
export { createInjectedConnector, type InjectedOptions } from './core/wallet/connectors/createInjectedConnector.ts'
export { createNetworkConnector, type NetworkOptions } from './core/wallet/connectors/createNetworkConnector.ts'
export { shortenAddress } from './core/wallet/shortenAddress.ts'
export type { AccountMismatch, ConnectedWallet, WalletState } from './core/wallet/WalletState.ts'
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
  type UseChangePassword,
  type UseRequestPasswordReset,
  type UseResetPassword,
  useChangePassword,
  useRequestPasswordReset,
  useResetPassword,
} from './hooks/account/usePassword.ts'
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
} from './hooks/chain/useWallet.ts'
export { type UseDocumentPages, useDocumentPages } from './hooks/documents/useDocumentPages.ts'
export { useDocument, useDocumentCount, useDocuments } from './hooks/documents/useDocuments.ts'
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
} from './hooks/signIn/useFarcaster.ts'
export {
  type UseRegisterPasskey,
  type UseRemovePasskey,
  type UseRestorePasskey,
  usePasskeys,
  useRegisterPasskey,
  useRemovePasskey,
  useRestorePasskey,
} from './hooks/signIn/usePasskeys.ts'
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
} from './hooks/signIn/useProviders.ts'
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
} from './hooks/signIn/useSecondFactor.ts'
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
} from './hooks/signIn/useSignIn.ts'
export {
  type UseRequestEmailCode,
  type UseSignInWithEmailCode,
  type UseSignInWithEmailLink,
  useRequestEmailCode,
  useSignInWithEmailCode,
  useSignInWithEmailLink,
} from './hooks/signIn/useSignInWithEmailCode.ts'
export { useClient } from './hooks/useClient.ts'
export { type UseFunction, type UseRunFunction, useFunction, useRunFunction } from './hooks/useFunction.ts'
export type { PlainReadOptions, ReadOptions, UseAsync } from './hooks/useReading.ts'
export { type UseInitialization, useInitialization, useSession, useUser } from './hooks/useSession.ts'
