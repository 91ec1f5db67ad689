export {
  type Acl,
  type AppEndpointName as EndpointName,
  CountersignError,
  type CountersignErrorOptions,
  type EndpointTypes,
  errorCodes,
  type RateLimit,
} from '@countersign/protocol'
export * from './core/account/accessTokens.ts'
export * from './core/account/account.ts'
export * from './core/account/accountSecurity.ts'
export * from './core/account/activity.ts'
export * from './core/account/connectedApps.ts'
export * from './core/account/email.ts'
export * from './core/account/identities.ts'
export type * from './core/account/inputs.ts'
export * from './core/account/linkedWallets.ts'
export * from './core/account/mergeAccounts.ts'
export * from './core/account/passkeys.ts'
export * from './core/account/passwords.ts'
export * from './core/account/reauthenticate.ts'
export * from './core/account/recoverAccount.ts'
export * from './core/account/roles.ts'
export * from './core/account/saveUser.ts'
export * from './core/account/secondFactor.ts'
export * from './core/account/sessions.ts'
export * from './core/account/signInMethods.ts'
export type * from './core/chain/CallsInput.ts'
export type * from './core/chain/ChainOptions.ts'
export type * from './core/chain/ContractInput.ts'
export type * from './core/chain/data/ChainData.ts'
export * from './core/chain/data/chainActions.ts'
export * from './core/chain/data/watchPages.ts'
export type * from './core/chain/FollowInputs.ts'
export { getBlockNumber, getContractEvents, waitForReceipt } from './core/chain/followChain.ts'
export * from './core/chain/readContract.ts'
export type * from './core/chain/SignTypedDataInput.ts'
export * from './core/chain/sendCalls.ts'
export * from './core/chain/sendTransaction.ts'
export * from './core/chain/sendTransfer.ts'
export * from './core/chain/signTypedData.ts'
export * from './core/chain/writeContract.ts'
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
export * from './core/documents/deleteDocuments.ts'
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
export { op, where } from './core/documents/namespaces.ts'
export {
  defineQuery,
  type Operators,
  type Query,
  type QueryOptions,
  relationQuery,
  type Where,
} from './core/documents/Query.ts'
export {
  type CloudFunctionInput,
  type CloudFunctionName,
  type CloudFunctionOutput,
  runFunction,
} from './core/documents/runFunction.ts'
export type { BatchOptions, Optimistic } from './core/documents/SaveOptions.ts'
export { createDocument, type Saved, saveDocument, saveDocuments } from './core/documents/saveDocuments.ts'
export type { Outcome } from './core/documents/sendBatch.ts'
export type * from './core/documents/UploadFileInput.ts'
export { uploadFile } from './core/documents/uploadFile.ts'
export * from './core/documents/values.ts'
export type { Distance, SearchOptions } from './core/documents/where.ts'
export type * from './core/errors/ActionError.ts'
export { MissingProviderError, NotAuthenticatedError, ValidationError } from './core/errors/errors.ts'
export { PasskeyError, type PasskeyErrorReason } from './core/errors/PasskeyError.ts'
export { ReauthenticationRequiredError, UserRejectedError } from './core/errors/reasonErrors.ts'
export { ProviderError, type Revert, RevertError, WrongChainError } from './core/errors/walletErrors.ts'
export * from './core/live/prefetchDocuments.ts'
export type * from './core/live/SubscribeInput.ts'
export { getLiveState, subscribeToDocuments } from './core/live/subscribe.ts'
export * from './core/live/watchDocuments.ts'
export type * from './core/push/PushState.ts'
export * from './core/push/push.ts'
export * from './core/readings/dehydrate.ts'
export type { WatchedStore } from './core/readings/watchReading.ts'
export * from './core/session/acceptInvitation.ts'
export { isPasskeySupported } from './core/session/askPasskey.ts'
export type * from './core/session/FarcasterInput.ts'
export * from './core/session/farcaster.ts'
export * from './core/session/getUser.ts'
export type * from './core/session/ProviderInput.ts'
export * from './core/session/providers.ts'
export * from './core/session/replaceSession.ts'
export * from './core/session/request.ts'
export * from './core/session/signInWithEmailCode.ts'
export * from './core/session/signInWithPasskey.ts'
export * from './core/session/signInWithPassword.ts'
export * from './core/session/signInWithRecoveryCode.ts'
export * from './core/session/signOut.ts'
export * from './core/session/signUp.ts'
export * from './core/setup/createClient.ts'
export * from './core/setup/initialize.ts'
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
export {
  type ConnectWalletInput,
  connectWallet,
  disconnectWallet,
  dismissMismatch,
  reconnectWallet,
} from './core/wallet/connectWallet.ts'
export * from './core/wallet/shortenAddress.ts'
export { signInWithWallet } from './core/wallet/signInWithWallet.ts'
export * from './core/wallet/signMessage.ts'
export * from './core/wallet/startWallet.ts'
export * from './core/wallet/switchChain.ts'
