import type { CountersignError } from '@countersign/protocol'
import type { MergePreview } from '../MergePreview.ts'
import type { User } from '../User.ts'
import type { Connector } from '../wallet/Connector.ts'
import type { FlowOutcome } from './FlowOutcome.ts'

/** What every state of the wallet step tells. */
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

/** Where a sign-in stands. Times are in milliseconds since 1970. */
export type SignInFlowState =
  /** Ways in are offered. `ended`: the session was ended on another device. */
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
  /** The owner deleted the account; until `dueAt` it can be restored, by signing in once more. */
  | { readonly status: 'deleted'; readonly dueAt: number }
  | (WalletStep & WalletStatus)
  | ({ readonly status: 'done'; readonly user: User } & FlowOutcome)

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
  /** The account was changed in the wallet while it signed; what was signed counts for nothing (S22). */
  | { readonly status: 'changed'; readonly from?: string }
  /** 208: the wallet to be linked belongs to another user. */
  | { readonly status: 'taken' }
  | { readonly status: 'merging'; readonly preview: MergePreview; readonly pending: boolean }
  /** The chain's node gave no answer, so the smart account could not be checked. */
  | { readonly status: 'unchecked' }
  /** No connection to the server; the wallet stays connected. It is tried again at `retryAt`. */
  | { readonly status: 'offline'; readonly retryAt: number }
  /** 429: the server wants nothing before `until`. */
  | { readonly status: 'limited'; readonly until: number }
  | { readonly status: 'failed'; readonly error: CountersignError }

/** A state of the wallet step. */
export type WalletFlowState = Extract<SignInFlowState, WalletStep>
