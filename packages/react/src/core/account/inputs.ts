import type { SecondFactorRecord, WireFields } from '@countersign/protocol'
import type { FarcasterInput } from '../session/FarcasterInput.ts'
import type { ProviderInput } from '../session/ProviderInput.ts'
import type { SignerInput } from '../state/Connector.ts'

// Inputs and outcomes of the actions on an account, for actions and bodies alike.

/** Exported data of a user, unchanged. */
export type AccountExport = Readonly<Record<string, unknown>>

export type UpdateAccountSecurityInput = { signInAlerts: boolean }

export type ListActivityInput = {
  /** Only earlier events: the `at` of the last one gives the next page. */
  before?: Date
  limit?: number
  /** Only these kinds, such as `['signIn', 'signUp']`. */
  actions?: readonly string[]
  /** Only acts from these browsers or programs, by their whole `userAgent`. */
  userAgents?: readonly string[]
}

export type RequestEmailVerificationInput = { email: string }

export type VerifyEmailInput = { token: string }

export type UndoEmailChangeInput = { token: string }

/** By a password, a passkey or a wallet that the account had before. A wallet is given as to `signInWithWallet`. */
export type RecoverAccountInput = { readonly token: string } & (
  | { readonly password: string; readonly newPassword: string }
  | { readonly passkey: true }
  | SignerInput
)

export type CreateAccessTokenInput = {
  /** The user's name for it: its uses are in the activity by this name. */
  name: string
  /** Its rights, such as `['Score:read', 'function:submitScore']`. */
  scopes: readonly string[]
  /** Addresses and networks that may use it; all if absent. */
  addresses?: readonly string[]
  /** Seconds until it ends; 90 days if absent. */
  expiresIn?: number
}

export type RevokeAccessTokenInput = { objectId: string }

export type DisconnectAppInput = { id: string }

export type UpdateWalletInput = {
  objectId: string
  /** Label chosen by the user; `null` removes it. */
  label?: string | null
  /** Makes it the first of its kind: the one in `ethAddress` or `solAddress`. */
  primary?: true
}

export type UnlinkWalletInput = { objectId: string }

export type RestoreWalletInput = { objectId: string }

export type MergeAccountsInput = { objectId: string }

export type UndoAccountMergeInput = { objectId: string }

export type RegisterPasskeyInput = {
  /** The user's name for it, to distinguish it from others. */
  name?: string
}

export type RemovePasskeyInput = { objectId: string }

export type RestorePasskeyInput = { objectId: string }

export type ChangePasswordInput = {
  /** An account that came by wallet or passkey has none yet; its first one needs a recent proof instead (`reauthenticate`). */
  currentPassword?: string
  newPassword: string
}

export type RequestPasswordResetInput = { email: string }

export type ResetPasswordInput = {
  token: string
  password: string
  /** A code of the app or a recovery code, where the reset is refused with `secondFactorRequired`. */
  secondFactorCode?: string
  /** The browser offers a passkey in its place. */
  passkey?: true
  /** Creates a new account with the address if mail alone does not open the existing one. */
  newAccount?: boolean
}

export type SecondFactor = Readonly<SecondFactorRecord>

export type StartTotpInput = { readonly ticket?: string }

/** `uri` is the content of a QR code for an authenticator app. */
export type StartedTotp = { readonly secret: string; readonly uri: string }

export type ConfirmTotpInput = { readonly code: string }

export type UpdateSecondFactorInput = {
  /** True if a passkey counts as the second factor of a sign-in by password, email or provider. */
  readonly passkey: boolean
}

export type RevokeSessionInput = { objectId: string }

/** A code of the app or a recovery code, besides anything but a passkey, where the account has a second factor. */
export type SecondCode = { readonly secondFactorCode?: string }

export type Proof =
  | { readonly password: string }
  | { readonly passkey: true }
  | { readonly credential: WireFields }
  | ProviderInput
  | { readonly farcaster: FarcasterInput }
  | { readonly emailCode: { readonly handle: string; readonly code: string } }

export type Reauthentication = { readonly confirmedUntil: Date }

export type IdentityInput = { readonly provider: string }

/**
 * By password, by one of the user's wallets, by a passkey, by a passkey's assertion for this purpose, by a provider, by
 * Farcaster, or by a code that `requestEmailCode` had mailed for it.
 */
export type ReauthenticateInput = SecondCode & (Proof | SignerInput)

/** A role that the user has, by being in it or by a role that is in it. */
export type Role = { readonly objectId: string; readonly name: string; readonly isInherited: boolean }
