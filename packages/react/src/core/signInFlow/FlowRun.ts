import type { Client } from '../Client.ts'
import type { User } from '../User.ts'
import type { FlowOutcome } from './FlowOutcome.ts'
import type { SignInFlowState } from './SignInFlowState.ts'

/** One try from a click to its outcome. After `signal` is aborted nothing that still arrives is shown. */
export type FlowRun = {
  readonly client: Client
  /** The wallet is to be added to the account of whoever is signed in. */
  readonly linking: boolean
  /** An account that is to be deleted comes back by this sign-in. */
  readonly restores: boolean
  readonly signal: AbortSignal
  readonly show: (state: SignInFlowState) => void
  readonly finish: (way: string, user: User, outcome?: Partial<FlowOutcome>) => void
  /** The server wants a fresh proof of the user first. Says whether somebody sees to that. */
  readonly confirm: () => boolean
}
