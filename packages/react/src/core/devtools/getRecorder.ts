import type { CountersignError } from '@countersign/protocol'
import type { Client } from '../Client.ts'
import { createStore } from '../createStore.ts'
import type { Store } from '../Store.ts'
import { observeFetch } from './observeFetch.ts'
import type { Recording } from './Recording.ts'

/** How many of each kind are kept. */
const most = 50

export type Recorder = {
  readonly recording: Store<Recording>
  /** Looks on until the function that it answers is called; what was recorded stays. */
  readonly start: () => () => void
  /** Forgets requests and errors. */
  readonly clear: () => void
}

const recorders = new WeakMap<Client, Recorder>()

/** The one recorder of a client. Nothing of the client is watched, and nothing costs anything, before it is started. */
export function getRecorder(client: Client): Recorder {
  const known = recorders.get(client)
  if (known) return known
  const recorder = createRecorder(client)
  recorders.set(client, recorder)
  return recorder
}

function createRecorder(client: Client): Recorder {
  const { internal } = client
  const recording = createStore<Recording>({ exchanges: [], transitions: [], failures: [] })

  let latest = 0
  const next = () => {
    latest += 1
    return latest
  }

  const noteError = (error: CountersignError) => {
    const { failures, ...rest } = recording.get()
    // A request and the action that sent it tell of the same one.
    if (failures.some((one) => one.error === error)) return
    recording.set({ ...rest, failures: [{ id: next(), at: Date.now(), error }, ...failures].slice(0, most) })
  }
  const noteSession = () => {
    const state = internal.session.get()
    const username = 'user' in state ? state.user?.username : undefined
    const { transitions, ...rest } = recording.get()
    const [last] = transitions
    if (last?.status === state.status && last.username === username) return
    const move = { id: next(), at: Date.now(), status: state.status, ...(username !== undefined && { username }) }
    recording.set({ ...rest, transitions: [move, ...transitions].slice(0, most) })
    if (state.status === 'error') noteError(state.error)
  }
  const noteWallet = () => {
    const state = internal.wallet.get()
    if (state.status === 'disconnected' && state.error) noteError(state.error)
  }
  const start = () => {
    const { options } = internal
    options.observedFetch = observeFetch(
      (...call) => (options.fetch ?? globalThis.fetch)(...call),
      (exchange) => {
        const { exchanges, ...rest } = recording.get()
        const others = exchanges.filter(({ id }) => id !== exchange.id)
        const sorted = [exchange, ...others].sort((one, other) => other.id - one.id)
        recording.set({ ...rest, exchanges: sorted.slice(0, most) })
      },
    )
    internal.watchError = noteError
    noteSession()
    const ends = [internal.session.subscribe(noteSession), internal.wallet.subscribe(noteWallet)]
    return () => {
      delete options.observedFetch
      delete internal.watchError
      for (const end of ends) end()
    }
  }
  const clear = () => recording.set({ ...recording.get(), exchanges: [], failures: [] })
  return { recording, start, clear }
}
