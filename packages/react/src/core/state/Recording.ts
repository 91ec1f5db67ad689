import type { CountersignError } from '@countersign/protocol'
import type { Store } from './createStore.ts'
import type { SessionState } from './SessionState.ts'

/** A request in a form that may be shown to anyone: no header, no body, no query. */
export type Exchange = {
  readonly id: number
  readonly at: number
  readonly method: string
  readonly path: string
  /** Absent while it is pending, and without a response. */
  readonly status?: number
  /** Time (ms) until the response began, or until it was canceled. */
  readonly duration?: number
  /** Id in the server's log; else the client's own id. */
  readonly requestId?: string
  readonly failure?: string
}

export type Transition = {
  readonly id: number
  readonly at: number
  readonly status: SessionState['status']
  readonly username?: string
}

/** An action that a hook started, without its input. */
export type Call = {
  readonly id: number
  readonly at: number
  readonly name: string
  readonly status: 'pending' | 'success' | 'error'
  /** Milliseconds until it was done. */
  readonly duration?: number
  readonly error?: CountersignError
}

export type Failure = { readonly id: number; readonly at: number; readonly error: CountersignError }

/** Recorded activity, newest first. */
export type Recording = {
  readonly exchanges: readonly Exchange[]
  readonly transitions: readonly Transition[]
  readonly failures: readonly Failure[]
  readonly calls: readonly Call[]
}

export type Recorder = {
  readonly recording: Store<Recording>
  /** Records until the returned function is called; the recording stays. */
  readonly start: () => () => void
  /** Forgets requests, actions and errors. */
  readonly clear: () => void
}
