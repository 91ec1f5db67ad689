export {
  type Acl,
  type AppEndpointName as EndpointName,
  CountersignError,
  type CountersignErrorOptions,
  type EndpointTypes,
  errorCodes,
  type RateLimit,
} from '@countersign/protocol'
export type { AccountSecurity } from './core/AccountSecurity.ts'
export type { Activity } from './core/Activity.ts'
export { addChain } from './core/actions/addChain.ts'
export { authenticate } from './core/actions/authenticate.ts'
export { type ChangePasswordInput, changePassword } from './core/actions/changePassword.ts'
export { type ConnectWalletInput, connectWallet } from './core/actions/connectWallet.ts'
export { createRecoveryCodes } from './core/actions/createRecoveryCodes.ts'
export { deleteUser } from './core/actions/deleteUser.ts'
export { disconnectWallet } from './core/actions/disconnectWallet.ts'
export { dismissMismatch } from './core/actions/dismissMismatch.ts'
export { type AccountExport, exportAccount } from './core/actions/exportAccount.ts'
export { findAddress } from './core/actions/findAddress.ts'
export { findName } from './core/actions/findName.ts'
export { findTokenPrice } from './core/actions/findTokenPrice.ts'
export { getAccountSecurity } from './core/actions/getAccountSecurity.ts'
export { getNativeBalance } from './core/actions/getNativeBalance.ts'
export { getPortfolio } from './core/actions/getPortfolio.ts'
export { getToken } from './core/actions/getToken.ts'
export { getUser } from './core/actions/getUser.ts'
export { type InitializeInput, initialize } from './core/actions/initialize.ts'
export { linkWallet } from './core/actions/linkWallet.ts'
export { type ListActivityInput, listActivity } from './core/actions/listActivity.ts'
export { listChains } from './core/actions/listChains.ts'
export { listNfts } from './core/actions/listNfts.ts'
export { listOutbox } from './core/actions/listOutbox.ts'
export { listPasskeys } from './core/actions/listPasskeys.ts'
export { listRoles, type Role } from './core/actions/listRoles.ts'
export { listSessions } from './core/actions/listSessions.ts'
export { listTokenBalances } from './core/actions/listTokenBalances.ts'
export { listTransactions } from './core/actions/listTransactions.ts'
export { listTransfers } from './core/actions/listTransfers.ts'
export { listWallets } from './core/actions/listWallets.ts'
export { listWaysIn } from './core/actions/listWaysIn.ts'
export { type LogInInput, logIn } from './core/actions/logIn.ts'
export { logOut } from './core/actions/logOut.ts'
export { type MergeInput, merge } from './core/actions/merge.ts'
export { previewMerge } from './core/actions/previewMerge.ts'
export {
  type FunctionAnswer,
  type FunctionArgs,
  type FunctionName,
  type ReadContractInput,
  readContract,
} from './core/actions/readContract.ts'
export { reconnectWallet } from './core/actions/reconnectWallet.ts'
export { refetchUser } from './core/actions/refetchUser.ts'
export { type RegisterPasskeyInput, registerPasskey } from './core/actions/registerPasskey.ts'
export { type RemovePasskeyInput, removePasskey } from './core/actions/removePasskey.ts'
export {
  type RequestEmailVerificationInput,
  requestEmailVerification,
} from './core/actions/requestEmailVerification.ts'
export { type RequestPasswordResetInput, requestPasswordReset } from './core/actions/requestPasswordReset.ts'
export { type ResetPasswordInput, resetPassword } from './core/actions/resetPassword.ts'
export { type RestoreWalletInput, restoreWallet } from './core/actions/restoreWallet.ts'
export { revokeOtherSessions } from './core/actions/revokeOtherSessions.ts'
export { type RevokeSessionInput, revokeSession } from './core/actions/revokeSession.ts'
export { saveUser } from './core/actions/saveUser.ts'
export { type SendTransactionInput, sendTransaction } from './core/actions/sendTransaction.ts'
export { signInWithPasskey } from './core/actions/signInWithPasskey.ts'
export {
  type SignInWithRecoveryCodeInput,
  signInWithRecoveryCode,
} from './core/actions/signInWithRecoveryCode.ts'
export { type SignMessageInput, signMessage } from './core/actions/signMessage.ts'
export { type SignUpInput, signUp } from './core/actions/signUp.ts'
export { startWallet } from './core/actions/startWallet.ts'
export { type Confirmation, type StepUpInput, stepUp } from './core/actions/stepUp.ts'
export { type SwitchChainInput, switchChain } from './core/actions/switchChain.ts'
export { type TransferInput, transfer } from './core/actions/transfer.ts'
export { type UndoEmailChangeInput, undoEmailChange } from './core/actions/undoEmailChange.ts'
export { type UndoMergeInput, undoMerge } from './core/actions/undoMerge.ts'
export { type UnlinkWalletInput, unlinkWallet } from './core/actions/unlinkWallet.ts'
export { type UpdateAccountSecurityInput, updateAccountSecurity } from './core/actions/updateAccountSecurity.ts'
export { type UpdateWalletInput, updateWallet } from './core/actions/updateWallet.ts'
export { type VerifyEmailInput, verifyEmail } from './core/actions/verifyEmail.ts'
export { type WriteContractInput, writeContract } from './core/actions/writeContract.ts'
export type { Callbacks } from './core/Callbacks.ts'
export type { Client, ClientOptions } from './core/Client.ts'
export type { ChainChoice, SendChoice, SentTransaction } from './core/chain/ChainChoice.ts'
export type {
  Avatar,
  ChainInfo,
  NativeBalance,
  Nft,
  OnChain,
  OnChainPage,
  Portfolio,
  Token,
  TokenBalance,
  TokenPrice,
  Transaction,
  Transfer,
} from './core/chainData/ChainData.ts'
export type {
  AddressInput,
  AddressOfInput,
  ChainInput,
  NativeBalanceInput,
  NftsInput,
  PortfolioInput,
  TokenBalancesInput,
  TokenInput,
  TokenPriceInput,
  TransactionsInput,
  TransferKind,
  TransfersInput,
} from './core/chainData/ChainInput.ts'
export type { ChainId, ChainRef } from './core/chainData/ChainTypes.ts'
export { createClient } from './core/createClient.ts'
export type { Changes, NewFields } from './core/documents/Changes.ts'
export { contains } from './core/documents/conditions/contains.ts'
export { endsWith } from './core/documents/conditions/endsWith.ts'
export { inQuery } from './core/documents/conditions/inQuery.ts'
export { intersects } from './core/documents/conditions/intersects.ts'
export { inValuesOf } from './core/documents/conditions/inValuesOf.ts'
export { matches } from './core/documents/conditions/matches.ts'
export { near } from './core/documents/conditions/near.ts'
export { notInQuery } from './core/documents/conditions/notInQuery.ts'
export { notInValuesOf } from './core/documents/conditions/notInValuesOf.ts'
export { type SearchOptions, search } from './core/documents/conditions/search.ts'
export { startsWith } from './core/documents/conditions/startsWith.ts'
export type { Distance } from './core/documents/conditions/toRadians.ts'
export { withinBox } from './core/documents/conditions/withinBox.ts'
export { withinCircle } from './core/documents/conditions/withinCircle.ts'
export { withinPolygon } from './core/documents/conditions/withinPolygon.ts'
export { count } from './core/documents/count.ts'
export { create } from './core/documents/create.ts'
export type { Document, Ref } from './core/documents/Document.ts'
export { destroy } from './core/documents/destroy.ts'
export { destroyAll } from './core/documents/destroyAll.ts'
export { find } from './core/documents/find.ts'
export { findPages } from './core/documents/findPages.ts'
export { first } from './core/documents/first.ts'
export { type GetOptions, get } from './core/documents/get.ts'
export { invalidateDocuments } from './core/documents/invalidateDocuments.ts'
export { add } from './core/documents/operations/add.ts'
export { addUnique } from './core/documents/operations/addUnique.ts'
export { increment } from './core/documents/operations/increment.ts'
export { relate } from './core/documents/operations/relate.ts'
export { remove } from './core/documents/operations/remove.ts'
export { unrelate } from './core/documents/operations/unrelate.ts'
export { unset } from './core/documents/operations/unset.ts'
export type { Query, QueryOptions } from './core/documents/QueryOptions.ts'
export { query } from './core/documents/query.ts'
export type { ClassName, FieldsOf, Register } from './core/documents/Register.ts'
export { relation } from './core/documents/relation.ts'
export type { SaveInput } from './core/documents/SaveInput.ts'
export { type Saved, save } from './core/documents/save.ts'
export { type BatchOptions, saveAll } from './core/documents/saveAll.ts'
export type { Outcome } from './core/documents/sendBatch.ts'
export { bytes } from './core/documents/values/bytes.ts'
export type { Bytes, GeoPoint, Pointer, Polygon, Relation, StoredFile } from './core/documents/values/FieldTypes.ts'
export { geoPoint } from './core/documents/values/geoPoint.ts'
export { pointer } from './core/documents/values/pointer.ts'
export { polygon } from './core/documents/values/polygon.ts'
export { readBytes } from './core/documents/values/readBytes.ts'
export type { Operators, Where } from './core/documents/Where.ts'
export { MissingProviderError } from './core/errors/MissingProviderError.ts'
export { NotAuthenticatedError } from './core/errors/NotAuthenticatedError.ts'
export { PasskeyError, type PasskeyErrorReason } from './core/errors/PasskeyError.ts'
export { ProviderError } from './core/errors/ProviderError.ts'
export { type Revert, RevertError } from './core/errors/RevertError.ts'
export { ValidationError } from './core/errors/ValidationError.ts'
export { WrongChainError } from './core/errors/WrongChainError.ts'
export type { UploadFileInput } from './core/files/UploadFileInput.ts'
export { uploadFile } from './core/files/uploadFile.ts'
export type {
  CloudFunctionInput,
  CloudFunctionName,
  CloudFunctionOutput,
} from './core/functions/CloudFunctionTypes.ts'
export { runFunction } from './core/functions/runFunction.ts'
export type { InitializationState } from './core/InitializationState.ts'
export type { InitialSession } from './core/InitialSession.ts'
export { getLiveState } from './core/live/getLiveState.ts'
export type { LiveState } from './core/live/LiveState.ts'
export type { SubscribeInput, SubscriptionHandlers } from './core/live/SubscribeInput.ts'
export { subscribe } from './core/live/subscribe.ts'
export type { Mail } from './core/Mail.ts'
export type { MergePreview } from './core/MergePreview.ts'
export type { Passkey } from './core/Passkey.ts'
export { isPasskeySupported } from './core/passkey/isPasskeySupported.ts'
export { request } from './core/request.ts'
export type { Session } from './core/Session.ts'
export type { SessionState } from './core/SessionState.ts'
export type { Store } from './core/Store.ts'
export type { StorageAdapter, SyncStorage } from './core/SyncStorage.ts'
export type { UndoWindow } from './core/UndoWindow.ts'
export type { FieldValue, User } from './core/User.ts'
export type { UserChanges } from './core/UserChanges.ts'
export type { Wallet } from './core/Wallet.ts'
export type { WaysIn } from './core/WaysIn.ts'
export type { AccountMismatch } from './core/wallet/AccountMismatch.ts'
export type { Chain } from './core/wallet/Chain.ts'
export type {
  ConnectOptions,
  Connector,
  ConnectorKind,
  SignedIn,
  SignInFields,
  WalletEvent,
  WalletLink,
} from './core/wallet/Connector.ts'
export { createDemoConnector, type DemoOptions } from './core/wallet/connectors/createDemoConnector.ts'
export { createInjectedConnector, type InjectedOptions } from './core/wallet/connectors/createInjectedConnector.ts'
export { createNetworkConnector, type NetworkOptions } from './core/wallet/connectors/createNetworkConnector.ts'
export { createEip1193Connector, type Eip1193Info } from './core/wallet/createEip1193Connector.ts'
export { createEip1193Signer } from './core/wallet/createEip1193Signer.ts'
export type { Eip1193Provider } from './core/wallet/Eip1193Provider.ts'
export type { Signer, SignerAccount, SignerInput } from './core/wallet/Signer.ts'
export { shortenAddress } from './core/wallet/shortenAddress.ts'
export type { ConnectedWallet, WalletState } from './core/wallet/WalletState.ts'
