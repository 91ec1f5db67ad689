export {
  type Acl,
  type AppEndpointName as EndpointName,
  CountersignError,
  type CountersignErrorOptions,
  type EndpointTypes,
  errorCodes,
  type RateLimit,
} from '@countersign/protocol'
export { type AccountExport, deleteUser, exportAccount, getUser, refetchUser } from './core/actions/account/account.ts'
export {
  getAccountSecurity,
  type UpdateAccountSecurityInput,
  updateAccountSecurity,
} from './core/actions/account/accountSecurity.ts'
export { type ListActivityInput, listActivity } from './core/actions/account/activity.ts'
export {
  listOutbox,
  type RequestEmailVerificationInput,
  requestEmailVerification,
  type UndoEmailChangeInput,
  undoEmailChange,
  type VerifyEmailInput,
  verifyEmail,
} from './core/actions/account/email.ts'
export {
  linkWallet,
  listLinkedWallets,
  type RestoreWalletInput,
  restoreWallet,
  type UnlinkWalletInput,
  type UpdateWalletInput,
  unlinkWallet,
  updateWallet,
} from './core/actions/account/linkedWallets.ts'
export {
  type MergeAccountsInput,
  mergeAccounts,
  type PreviewAccountMergeInput,
  previewAccountMerge,
  type UndoAccountMergeInput,
  undoAccountMerge,
} from './core/actions/account/mergeAccounts.ts'
export {
  listPasskeys,
  type RegisterPasskeyInput,
  type RemovePasskeyInput,
  type RestorePasskeyInput,
  registerPasskey,
  removePasskey,
  restorePasskey,
} from './core/actions/account/passkeys.ts'
export {
  type ChangePasswordInput,
  changePassword,
  type RequestPasswordResetInput,
  type ResetPasswordInput,
  requestPasswordReset,
  resetPassword,
} from './core/actions/account/passwords.ts'
export { saveUser } from './core/actions/account/saveUser.ts'
export {
  type ConfirmTotpInput,
  confirmTotp,
  findSecondStep,
  forgetDevices,
  getSecondFactor,
  removeSecondFactor,
  type SecondFactor,
  type SecondStep,
  type SignInWithSecondFactorInput,
  type StartedTotp,
  type StartTotpInput,
  signInWithSecondFactor,
  startTotp,
  type UpdateSecondFactorInput,
  updateSecondFactor,
} from './core/actions/account/secondFactor.ts'
export {
  listSessions,
  type RevokeSessionInput,
  revokeOtherSessions,
  revokeSession,
} from './core/actions/account/sessions.ts'
export { type InitializeInput, initialize } from './core/actions/initialize.ts'
export {
  getPushState,
  type PushInput,
  type PushState,
  type SubscribeToPushInput,
  subscribeToPush,
  unsubscribeFromPush,
} from './core/actions/push.ts'
export { listRoles, type Role } from './core/actions/roles.ts'
export type {
  CloudFunctionInput,
  CloudFunctionName,
  CloudFunctionOutput,
} from './core/actions/runFunction.ts'
export { runFunction } from './core/actions/runFunction.ts'
export {
  type FarcasterChallenge,
  type FarcasterInput,
  type FarcasterSign,
  linkFarcaster,
  type SignInWithFarcasterInput,
  signInWithFarcaster,
} from './core/actions/signIn/farcaster.ts'
export {
  type IdentityInput,
  linkProvider,
  listProviders,
  type ProviderInput,
  restoreIdentity,
  type SignInWithProviderInput,
  signInWithProvider,
  takeProviderResponse,
  unlinkIdentity,
} from './core/actions/signIn/providers.ts'
export {
  type ReauthenticateInput,
  type Reauthentication,
  reauthenticate,
} from './core/actions/signIn/reauthenticate.ts'
export { listSignInMethods } from './core/actions/signIn/signInMethods.ts'
export {
  type RequestEmailCodeInput,
  type RequestedEmailCode,
  requestEmailCode,
  type SignInWithEmailCodeInput,
  type SignInWithEmailLinkInput,
  signInWithEmailCode,
  signInWithEmailLink,
} from './core/actions/signIn/signInWithEmailCode.ts'
export { signInWithPasskey } from './core/actions/signIn/signInWithPasskey.ts'
export { type SignInWithPasswordInput, signInWithPassword } from './core/actions/signIn/signInWithPassword.ts'
export {
  createRecoveryCodes,
  type SignInWithRecoveryCodeInput,
  signInWithRecoveryCode,
} from './core/actions/signIn/signInWithRecoveryCode.ts'
export { signInWithWallet } from './core/actions/signIn/signInWithWallet.ts'
export { signOut } from './core/actions/signIn/signOut.ts'
export { type AcceptInvitationInput, acceptInvitation, type SignUpInput, signUp } from './core/actions/signIn/signUp.ts'
export type { UploadFileInput } from './core/actions/uploadFile.ts'
export { uploadFile } from './core/actions/uploadFile.ts'
export {
  findTokenPrice,
  getEnsAddress,
  getEnsName,
  getNativeBalance,
  getPortfolio,
  getToken,
  listChains,
  listNfts,
  listTokenBalances,
  listTransactions,
  listTransfers,
} from './core/actions/wallet/chainData.ts'
export {
  type ConnectWalletInput,
  connectWallet,
  disconnectWallet,
  dismissMismatch,
  reconnectWallet,
} from './core/actions/wallet/connectWallet.ts'
export {
  type FunctionArgs,
  type FunctionName,
  type FunctionResult,
  type ReadContractInput,
  readContract,
} from './core/actions/wallet/readContract.ts'
export { type SendTransactionInput, sendTransaction } from './core/actions/wallet/sendTransaction.ts'
export { type SendTransferInput, sendTransfer } from './core/actions/wallet/sendTransfer.ts'
export { type SignMessageInput, signMessage } from './core/actions/wallet/signMessage.ts'
export { startWallet } from './core/actions/wallet/startWallet.ts'
export { addChain, type SwitchChainInput, switchChain } from './core/actions/wallet/switchChain.ts'
export { type WriteContractInput, writeContract } from './core/actions/wallet/writeContract.ts'
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
export { type WatchedPages, watchNfts, watchTransfers } from './core/chainData/watchPages.ts'
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
export { deleteDocument, deleteDocuments } from './core/documents/deleteDocuments.ts'
export { type DocumentPage, findDocumentPage } from './core/documents/findDocumentPage.ts'
export {
  countDocuments,
  findDocumentPages,
  findDocuments,
  findFirstDocument,
  type GetOptions,
  getDocument,
} from './core/documents/findDocuments.ts'
export { invalidateDocuments, onClassChange } from './core/documents/invalidateDocuments.ts'
// Metro's own transformer does not know `export * as`.
export { op, where } from './core/documents/namespaces.ts'
export type { Operators, Query, QueryOptions, Where } from './core/documents/Query.ts'
export { defineQuery, relationQuery } from './core/documents/Query.ts'
export type { ClassName, FieldsOf, Register } from './core/documents/Register.ts'
export {
  type BatchOptions,
  createDocument,
  type Optimistic,
  type Saved,
  saveDocument,
  saveDocuments,
} from './core/documents/saveDocuments.ts'
export { bytes, geoPoint, pointer, polygon, readBytes } from './core/documents/values.ts'
export { watchDocument, watchDocuments } from './core/documents/watchDocuments.ts'
export type { Distance, SearchOptions } from './core/documents/where.ts'
export type { Outcome } from './core/documents/writing.ts'
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
export { request } from './core/http/request.ts'
export type { LiveState } from './core/live/LiveWire.ts'
export type { SubscribeInput, SubscriptionHandlers } from './core/live/subscribe.ts'
export { getLiveState, subscribeToDocuments } from './core/live/subscribe.ts'
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
export type { AsyncState } from './core/state/createReading.ts'
export type { Store } from './core/state/createStore.ts'
export type { WatchedStore } from './core/state/watchReading.ts'
export type { User } from './core/User.ts'
export type {
  Chain,
  ConnectOptions,
  Connector,
  ConnectorKind,
  Eip1193Provider,
  SignedIn,
  Signer,
  SignerAccount,
  SignerInput,
  SignInFields,
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
