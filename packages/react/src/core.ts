export {
  type Acl,
  type AppEndpointName as EndpointName,
  CountersignError,
  type CountersignErrorOptions,
  type EndpointTypes,
  errorCodes,
  type RateLimit,
} from '@countersign/protocol'
export { deleteUser, exportAccount, refetchUser } from './core/account/account.ts'
export { createRecoveryCodes, getAccountSecurity, updateAccountSecurity } from './core/account/accountSecurity.ts'
export { listActivity } from './core/account/activity.ts'
export { listOutbox, requestEmailVerification, undoEmailChange, verifyEmail } from './core/account/email.ts'
export {
  linkFarcaster,
  linkProvider,
  listProviders,
  restoreIdentity,
  unlinkIdentity,
} from './core/account/identities.ts'
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
export {
  linkWallet,
  listLinkedWallets,
  restoreWallet,
  unlinkWallet,
  updateWallet,
} from './core/account/linkedWallets.ts'
export {
  mergeAccounts,
  type PreviewAccountMergeInput,
  previewAccountMerge,
  undoAccountMerge,
} from './core/account/mergeAccounts.ts'
export { listPasskeys, registerPasskey, removePasskey, restorePasskey } from './core/account/passkeys.ts'
export { changePassword, requestPasswordReset, resetPassword } from './core/account/passwords.ts'
export { reauthenticate } from './core/account/reauthenticate.ts'
export { listRoles } from './core/account/roles.ts'
export { saveUser } from './core/account/saveUser.ts'
export {
  confirmTotp,
  findSecondStep,
  forgetDevices,
  getSecondFactor,
  removeSecondFactor,
  type SecondStep,
  type SignInWithSecondFactorInput,
  signInWithSecondFactor,
  startTotp,
  updateSecondFactor,
} from './core/account/secondFactor.ts'
export { listSessions, revokeOtherSessions, revokeSession } from './core/account/sessions.ts'
export { listSignInMethods } from './core/account/signInMethods.ts'
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
} from './core/chain/data/chainActions.ts'
export { type WatchedPages, watchNfts, watchTransfers } from './core/chain/data/watchPages.ts'
export { readContract } from './core/chain/readContract.ts'
export { sendTransaction } from './core/chain/sendTransaction.ts'
export { sendTransfer } from './core/chain/sendTransfer.ts'
export { writeContract } from './core/chain/writeContract.ts'
export type {
  Client,
  ClientOptions,
  InitializationState,
  InitialSession,
  StorageAdapter,
  SyncStorage,
} from './core/client/Client.ts'
export type { ActionOptions, Callbacks, Result } from './core/client/runAction.ts'
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
export type {
  CloudFunctionInput,
  CloudFunctionName,
  CloudFunctionOutput,
} from './core/documents/runFunction.ts'
export { runFunction } from './core/documents/runFunction.ts'
export type { BatchOptions, Optimistic } from './core/documents/SaveOptions.ts'
export { createDocument, type Saved, saveDocument, saveDocuments } from './core/documents/saveDocuments.ts'
export type { Outcome } from './core/documents/sendBatch.ts'
export type { UploadFileInput } from './core/documents/UploadFileInput.ts'
export { uploadFile } from './core/documents/uploadFile.ts'
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
export { getLiveState, subscribeToDocuments } from './core/live/subscribe.ts'
export { watchDocument, watchDocuments } from './core/live/watchDocuments.ts'
export type { PushInput, PushState, SubscribeToPushInput } from './core/push/PushState.ts'
export { getPushState, subscribeToPush, unsubscribeFromPush } from './core/push/push.ts'
export type { WatchedStore } from './core/readings/watchReading.ts'
export { isPasskeySupported } from './core/session/askPasskey.ts'
export type { FarcasterChallenge, FarcasterInput, FarcasterSign } from './core/session/FarcasterInput.ts'
export { type SignInWithFarcasterInput, signInWithFarcaster } from './core/session/farcaster.ts'
export { getUser } from './core/session/getUser.ts'
export type { ProviderInput } from './core/session/ProviderInput.ts'
export { type SignInWithProviderInput, signInWithProvider, takeProviderResponse } from './core/session/providers.ts'
export { request } from './core/session/request.ts'
export {
  type RequestEmailCodeInput,
  type RequestedEmailCode,
  requestEmailCode,
  type SignInWithEmailCodeInput,
  type SignInWithEmailLinkInput,
  signInWithEmailCode,
  signInWithEmailLink,
} from './core/session/signInWithEmailCode.ts'
export { signInWithPasskey } from './core/session/signInWithPasskey.ts'
export { type SignInWithPasswordInput, signInWithPassword } from './core/session/signInWithPassword.ts'
export { type SignInWithRecoveryCodeInput, signInWithRecoveryCode } from './core/session/signInWithRecoveryCode.ts'
export { signOut } from './core/session/signOut.ts'
export { type AcceptInvitationInput, acceptInvitation, type SignUpInput, signUp } from './core/session/signUp.ts'
export { createClient } from './core/setup/createClient.ts'
export { type InitializeInput, initialize } from './core/setup/initialize.ts'
export type { AsyncState } from './core/state/AsyncState.ts'
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
export {
  type ConnectWalletInput,
  connectWallet,
  disconnectWallet,
  dismissMismatch,
  reconnectWallet,
} from './core/wallet/connectWallet.ts'
export { shortenAddress } from './core/wallet/shortenAddress.ts'
export { signInWithWallet } from './core/wallet/signInWithWallet.ts'
export { type SignMessageInput, signMessage } from './core/wallet/signMessage.ts'
export { startWallet } from './core/wallet/startWallet.ts'
export { addChain, type SwitchChainInput, switchChain } from './core/wallet/switchChain.ts'
