import type { AppEndpointName, CountersignError, EndpointReason, ErrorName, NamedReason } from '@countersign/protocol'

/** Reasons of every action: those of any request, and codes without a reason. */
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

/** Reasons of actions that are not those of the endpoint of the same name. */
type SpecialReasons = {
  addChain: WalletReason
  connectWallet: WalletReason
  deleteDocument: 'objectNotFound'
  disconnectWallet: WalletReason
  linkFarcaster: EndpointReason<'createFarcasterChallenge' | 'linkFarcaster'>
  linkProvider: ProviderReason | EndpointReason<'linkProvider'>
  linkWallet: ProofReason | EndpointReason<'linkWallet'>
  mergeAccounts: EndpointReason<'merge'>
  previewAccountMerge: ProofReason | EndpointReason<'previewMerge'>
  reauthenticate: ProofReason | PasskeyReason | ProviderReason | EndpointReason<'reauthenticate'>
  recoverAccount: ProofReason | PasskeyReason | EndpointReason<'recoverAccount'>
  refetchUser: never
  registerPasskey: PasskeyReason | EndpointReason<'createPasskeyRegistration' | 'registerPasskey'>
  requestEmailVerification: 'emailMissing' | 'emailNotText'
  requestPasswordReset: 'emailMissing' | 'emailNotText'
  resetPassword: PasskeyReason | EndpointReason<'resetPassword'>
  revokeOtherSessions: never
  /** A function refuses with any code that it throws. */
  runFunction: Uncapitalize<ErrorName>
  saveDocument: 'objectNotFound'
  saveUser: EndpointReason<'updateUser'>
  sendCalls: ChainReason
  sendTransaction: ChainReason
  sendTransfer: ChainReason
  signInWithFarcaster: EndpointReason<'createFarcasterChallenge' | 'signInWithFarcaster'>
  signInWithPasskey: PasskeyReason | EndpointReason<'signInWithPasskey'>
  signInWithPassword: EndpointReason<'logIn'>
  signInWithProvider: ProviderReason | EndpointReason<'signInWithProvider'>
  signInWithSecondFactor: PasskeyReason | EndpointReason<'signInWithSecondFactor'>
  signInWithWallet: ProofReason | EndpointReason<'signInWithWallet'>
  signMessage: WalletReason
  signOut: never
  signTypedData: ChainReason
  subscribeToPush: never
  switchChain: WalletReason
  undoAccountMerge: EndpointReason<'undoMerge'>
  unsubscribeFromPush: never
  /** Files are refused by codes: `fileTooLarge`, `invalidFileName`, `fileSaveError` and others. */
  uploadFile: never
  writeContract: ChainReason
}

export type ActionName = keyof SpecialReasons | AppEndpointName

/** The reasons that an action may fail with. A newer server may name another one, so keep a default branch. */
export type ActionReason<Name extends ActionName> =
  | (Name extends keyof SpecialReasons
      ? SpecialReasons[Name]
      : Name extends AppEndpointName
        ? EndpointReason<Name>
        : never)
  | CommonReason

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
