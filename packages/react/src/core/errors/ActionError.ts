import type { CountersignError, EndpointReason, ErrorName, NamedReason } from '@countersign/protocol'

/** Reasons that every action may fail with: those of any request, and codes without a reason of their own. */
export type CommonReason =
  | Exclude<Uncapitalize<ErrorName>, NamedReason>
  | 'bodyTooLarge'
  | 'cancelled'
  | 'databaseUnavailable'
  | 'internalServerError'
  | 'invalidInput'
  | 'invalidResponse'
  | 'invalidSessionToken'
  | 'rateLimited'
  | 'serverBusy'
  | 'serverUnreachable'
  | 'sessionExpired'
  | 'unauthorized'
  | 'writeConflict'

type WalletReason = 'userRejected' | 'walletAccountChanged'
type ProofReason = WalletReason | EndpointReason<'createChallenge'>
type PasskeyReason =
  | 'passkeyCancelled'
  | 'passkeyFailed'
  | 'passkeyKnown'
  | 'passkeyUnsupported'
  | EndpointReason<'createPasskeyChallenge'>
type ProviderReason = EndpointReason<'createProviderChallenge'>
type ChainReason = WalletReason | 'contractReverted' | 'wrongChain'

type ActionReasons = {
  addChain: WalletReason
  changePassword: EndpointReason<'changePassword'>
  confirmTotp: EndpointReason<'confirmTotp'>
  connectWallet: WalletReason
  createRecoveryCodes: EndpointReason<'createRecoveryCodes'>
  deleteDocument: 'objectNotFound'
  deleteUser: EndpointReason<'deleteUser'>
  disconnectWallet: WalletReason
  exportAccount: EndpointReason<'exportAccount'>
  forgetDevices: EndpointReason<'forgetDevices'>
  linkFarcaster: EndpointReason<'createFarcasterChallenge' | 'linkFarcaster'>
  linkProvider: ProviderReason | EndpointReason<'linkProvider'>
  linkWallet: ProofReason | EndpointReason<'linkWallet'>
  mergeAccounts: EndpointReason<'merge'>
  previewAccountMerge: ProofReason | EndpointReason<'previewMerge'>
  reauthenticate: ProofReason | PasskeyReason | ProviderReason | EndpointReason<'reauthenticate'>
  refetchUser: never
  registerPasskey: PasskeyReason | EndpointReason<'createPasskeyRegistration' | 'registerPasskey'>
  removePasskey: EndpointReason<'removePasskey'>
  removeSecondFactor: EndpointReason<'removeSecondFactor'>
  requestEmailCode: EndpointReason<'requestEmailCode'>
  requestEmailVerification: 'emailMissing' | 'emailNotText'
  requestPasswordReset: 'emailMissing' | 'emailNotText'
  resetPassword: EndpointReason<'resetPassword'>
  restoreIdentity: EndpointReason<'restoreIdentity'>
  restorePasskey: EndpointReason<'restorePasskey'>
  restoreWallet: EndpointReason<'restoreWallet'>
  revokeOtherSessions: never
  revokeSession: EndpointReason<'revokeSession'>
  /** A function refuses with any code that it throws. */
  runFunction: Uncapitalize<ErrorName>
  saveDocument: 'objectNotFound'
  saveUser: EndpointReason<'updateUser'>
  sendTransaction: ChainReason
  sendTransfer: ChainReason
  signInWithEmailCode: EndpointReason<'signInWithEmailCode'>
  signInWithEmailLink: EndpointReason<'signInWithEmailLink'>
  signInWithFarcaster: EndpointReason<'createFarcasterChallenge' | 'signInWithFarcaster'>
  signInWithPasskey: PasskeyReason | EndpointReason<'signInWithPasskey'>
  signInWithPassword: EndpointReason<'logIn'>
  signInWithProvider: ProviderReason | EndpointReason<'signInWithProvider'>
  signInWithRecoveryCode: EndpointReason<'signInWithRecoveryCode'>
  signInWithSecondFactor: PasskeyReason | EndpointReason<'signInWithSecondFactor'>
  signInWithWallet: ProofReason | EndpointReason<'signInWithWallet'>
  signMessage: WalletReason
  signOut: never
  signUp: EndpointReason<'signUp'>
  startTotp: EndpointReason<'startTotp'>
  subscribeToPush: never
  switchChain: WalletReason
  undoAccountMerge: EndpointReason<'undoMerge'>
  undoEmailChange: EndpointReason<'undoEmailChange'>
  unlinkIdentity: EndpointReason<'unlinkIdentity'>
  unlinkWallet: EndpointReason<'unlinkWallet'>
  unsubscribeFromPush: never
  updateAccountSecurity: EndpointReason<'updateAccountSecurity'>
  updateSecondFactor: EndpointReason<'updateSecondFactor'>
  updateWallet: EndpointReason<'updateWallet'>
  /** Files are refused by codes: `fileTooLarge`, `invalidFileName`, `fileSaveError` and others. */
  uploadFile: never
  verifyEmail: EndpointReason<'verifyEmail'>
  writeContract: ChainReason
}

export type ActionName = keyof ActionReasons

/** The reasons that an action may fail with. A newer server may name another one, so keep a default branch. */
export type ActionReason<Name extends ActionName> = ActionReasons[Name] | CommonReason

/**
 * The error of an action, by the action's name.
 *
 * @example
 * function explain(error: ActionError<'unlinkWallet'>) {
 *   if (error.reason === 'lastSignInMethod') return 'Add another sign-in method first.'
 *   return error.message
 * }
 */
export type ActionError<Name extends ActionName> = CountersignError & { readonly reason: ActionReason<Name> }
