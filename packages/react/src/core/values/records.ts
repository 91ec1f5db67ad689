import type {
  AccessTokenRecord,
  ActivityRecord,
  ConnectedApp as ConnectedAppRecord,
  CreatedWith,
  IdentityRecord,
  MergePreview as MergePreviewRecord,
  NewAccessTokenRecord,
  OutboxMail,
  PasskeyRecord,
  SignInMethods as SignInMethodsRecord,
  WalletRecord,
} from '@countersign/protocol'
import type { Address } from 'viem'

export type TimeName =
  | 'at'
  | 'confirmedUntil'
  | 'connectedAt'
  | 'createdAt'
  | 'expiresAt'
  | 'lastUsedAt'
  | 'linkedAt'
  | 'undoUntil'

/** A record of the wire as applications see it: read-only, its times as `Date`. */
export type WithDates<Item> = Item extends WalletRecord
  ? Wallet
  : {
      readonly [Name in keyof Item]: Name extends TimeName
        ? Date
        : NonNullable<Item[Name]> extends readonly (infer Part)[]
          ? readonly WithDates<Part>[]
          : Item[Name]
    }

/** A token of a program that acts for the user within scopes. */
export type AccessToken = WithDates<AccessTokenRecord>

/** A new access token; `token` is shown once. */
export type NewAccessToken = WithDates<NewAccessTokenRecord>

/** An application that has access to the user's account. */
export type ConnectedApp = WithDates<ConnectedAppRecord>

/** The safeguards of the user's account. */
export type AccountSecurity = {
  readonly recoveryCodes: {
    readonly left: number
    readonly made: number
    readonly createdAt?: Date
    readonly lastUsedAt?: Date
  }
  readonly signInAlerts: boolean
}

/** Something that happened to the user's account. */
export type Activity = WithDates<ActivityRecord>

/** A mail that the server kept because it has no SMTP server to send it by. */
export type Mail = Readonly<Omit<OutboxMail, 'createdAt'>> & { readonly createdAt: Date }

/** Contents of a merge into the user's account. */
export type MergePreview = WithDates<MergePreviewRecord>

/** A passkey of the user. `backedUp`: its maker keeps a copy, so that it outlives the device. */
export type Passkey = WithDates<PasskeyRecord>

/** Identity of the user at a provider. `label`: name of the account there. */
export type Identity = WithDates<IdentityRecord>

/** One place where the user is signed in, for the list of sessions and devices. */
export type Session = {
  readonly objectId: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly expiresAt?: Date
  readonly lastUsedAt?: Date
  readonly createdWith?: CreatedWith
  readonly installationId?: string
  /** The session that this client itself uses. */
  readonly current: boolean
  readonly userAgent?: string
  readonly ipAddress?: string
  /** Message and signature that opened it, for anyone to verify. */
  readonly proof?: { readonly message: string; readonly signature: string }
}

/** Until when something that was done can be undone. */
export type UndoDeadline = { readonly undoUntil: Date }

/** A wallet that the user has proven to own. EVM addresses have their checksum. */
export type Wallet = WithDates<Omit<WalletRecord, 'namespace' | 'address'>> &
  (
    | { readonly namespace: 'eip155'; readonly address: Address }
    | { readonly namespace: 'solana'; readonly address: string }
  )

/** All sign-in methods of the user's account. The last one cannot be removed. */
export type SignInMethods = WithDates<SignInMethodsRecord>
