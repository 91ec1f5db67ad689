import type { CountersignError, ProviderRecord } from '@countersign/protocol'
import type { SecondStep } from '../account/secondFactor.ts'
import type { Client } from '../client/Client.ts'
import type { Connector } from '../state/Connector.ts'
import type { MergePreview } from '../values/records.ts'
import type { User } from '../values/User.ts'

/** Result of a sign-in, in addition to the user. */
export type SignInResult = {
  /** The account was made by this sign-in. */
  readonly isNew: boolean
  /** The wallet was added to the account; nobody was signed in again. */
  readonly linked: boolean
  /** Two accounts were brought together; `undoAccountMerge` takes it back until then. */
  readonly merged?: { readonly objectId: string; readonly username: string; readonly undoUntil: Date }
}

/** Fields of every state of the wallet step. */
export type WalletStep = {
  readonly connector: Connector
  /** Known once the wallet is connected. */
  readonly account?: string
  readonly chainId?: number | string
  /** The exact text that the wallet was given to sign. */
  readonly message?: string
  /** The wallet connects and signs by one prompt. */
  readonly atOnce?: true
}

/** Mail alone does not open the account: `startNew` creates one with the address, `showSecondFactor` opens the old one. */
export type NewAccountOffer = {
  /** Set if the second factor opens the account, and `onSecondFactor` is there to ask for it. */
  readonly secondStep?: SecondStep
}

/** State of a sign-in. Times are in milliseconds since 1970. */
export type SignInFlowState =
  /** Sign-in methods are offered. `ended`: the session was ended on another device. */
  | { readonly status: 'choosing'; readonly ended?: true }
  | {
      readonly status: 'password'
      readonly pending: boolean
      readonly error?: CountersignError
      readonly until?: number
    }
  | {
      readonly status: 'passkey'
      readonly pending: boolean
      readonly error?: CountersignError
      readonly until?: number
    }
  /** A provider such as Google is open in a window of its own, or an app at `url`, on this device or another. */
  | {
      readonly status: 'provider'
      readonly provider: ProviderRecord
      readonly url?: string
      readonly pending: boolean
      readonly error?: CountersignError
      readonly until?: number
    }
  /** A code by email: the address is asked for first, then the code that was mailed to it. */
  | {
      readonly status: 'emailCode'
      readonly sent?: { readonly email: string; readonly handle: string }
      readonly newAccount?: NewAccountOffer
      readonly pending: boolean
      readonly error?: CountersignError
      readonly until?: number
    }
  /** The owner deleted the account; until `dueAt` it can be restored, by signing in once more. */
  | { readonly status: 'deleted'; readonly dueAt: number }
  /** The account was merged away, or the wallet unlinked from it; until then it can be restored by signing in once more. */
  | { readonly status: 'lost'; readonly by: 'merge' | 'unlink'; readonly until: number; readonly canStartNew: boolean }
  | (WalletStep & WalletStatus)
  | ({ readonly status: 'done'; readonly user: User } & SignInResult)

type WalletStatus =
  /** `slow`: it may be locked, or hidden behind this window. `uri`: for another device, as a QR code. */
  | { readonly status: 'connecting'; readonly slow: boolean; readonly uri?: string }
  /** The wallet has an older request open (-32002) and is not asked again. After a while one may start over. */
  | { readonly status: 'pending'; readonly canRestart: boolean }
  /** The person said no to connecting. */
  | { readonly status: 'refused' }
  /** `again`: the first message had expired. `slow`: the wallet's window may be out of sight. */
  | { readonly status: 'signing'; readonly again: boolean; readonly slow: boolean }
  /** Signed; the server checks it. `smart`: by asking the chain that a smart account lives on. */
  | { readonly status: 'checking'; readonly slow: boolean; readonly smart: boolean }
  /** Connected, not signed in: the person said no, or the connection was lost after signing and is back. */
  | { readonly status: 'unsigned'; readonly reason: 'refused' | 'back' }
  /** The account was changed in the wallet while signing; the signature is not used. */
  | { readonly status: 'changed'; readonly from?: string }
  /** 208: the wallet to be linked belongs to another user. */
  | { readonly status: 'taken' }
  | { readonly status: 'merging'; readonly preview: MergePreview; readonly pending: boolean }
  /** The chain's node did not respond, so the smart account could not be checked. */
  | { readonly status: 'unchecked' }
  /** No connection to the server; the wallet stays connected. It is tried again at `retryAt`. */
  | { readonly status: 'offline'; readonly retryAt: number }
  /** 429: the server wants nothing before `until`. */
  | { readonly status: 'limited'; readonly until: number }
  | { readonly status: 'failed'; readonly error: CountersignError }

/** A state of the wallet step. */
export type WalletFlowState = Extract<SignInFlowState, WalletStep>

/** For an account that is to be deleted, was merged away, lost its wallet or is not opened by mail alone. */
export type Wish = 'restoreAccount' | 'newAccount'

/** One try from a click to its outcome. After `signal` is aborted nothing that still arrives is shown. */
export type FlowRun = {
  readonly client: Client
  /** The wallet is to be added to the account of the signed-in user. */
  readonly linking: boolean
  /** Choice after a refusal: the former account is restored, or a new one is created. */
  readonly wish: Wish | undefined
  readonly signal: AbortSignal
  readonly show: (state: SignInFlowState) => void
  readonly finish: (way: string, user: User, outcome?: Partial<SignInResult>) => void
  /** Called if the account requires a second factor. Returns true if it is handled. */
  readonly askFurther: (error: CountersignError) => boolean
  /** Returns the offer of a new account with the address, if the refusal has one. */
  readonly findOffer: (error: CountersignError) => NewAccountOffer | undefined
  /** The server wants a fresh proof of the user first. Says whether somebody sees to that. */
  readonly confirm: () => boolean
}
