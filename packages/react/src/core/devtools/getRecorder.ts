import { type CountersignError, headers } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { createStore } from '../state/createStore.ts'
import type { Call, Exchange, Recorder, Recording } from '../state/Recording.ts'

/** How many of each kind are kept. */
const most = 50

/** The one recorder of a client. Nothing is watched before it is started. */
export function getRecorder(client: Client): Recorder {
  client.internal.recorder ??= createRecorder(client)
  return client.internal.recorder
}

function createRecorder(client: Client): Recorder {
  const { internal } = client
  const recording = createStore<Recording>({ exchanges: [], transitions: [], failures: [], calls: [] })

  let latest = 0
  const next = () => {
    latest += 1
    return latest
  }

  const noteError = (error: CountersignError) => {
    const { failures, ...rest } = recording.get()
    // A request and the action that sent it report the same one.
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
  const noteCall = (call: Call) => {
    const { calls, ...rest } = recording.get()
    const others = calls.filter(({ id }) => id !== call.id)
    recording.set({ ...rest, calls: [call, ...others].sort((one, other) => other.id - one.id).slice(0, most) })
  }
  const watchAction = (name: string) => {
    const began = performance.now()
    const call: Call = { id: next(), at: Date.now(), name, status: 'pending' }
    noteCall(call)
    return (error?: CountersignError) => {
      const duration = Math.round(performance.now() - began)
      noteCall({ ...call, duration, ...(error ? { status: 'error', error } : { status: 'success' }) })
    }
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
    internal.watchAction = watchAction
    noteSession()
    const ends = [internal.session.subscribe(noteSession), internal.wallet.subscribe(noteWallet)]
    return () => {
      delete options.observedFetch
      delete internal.watchError
      delete internal.watchAction
      for (const end of ends) end()
    }
  }
  const clear = () => recording.set({ ...recording.get(), exchanges: [], failures: [], calls: [] })
  return { recording, start, clear }
}

let latest = 0

/** A `fetch` that reports each request when it is sent and when its response begins. Only harmless data is kept. */
export function observeFetch(
  fetch: typeof globalThis.fetch,
  report: (exchange: Exchange) => void,
): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const began = performance.now()
    const own = new Headers(init.headers).get(headers.requestId)
    latest += 1
    const exchange: Exchange = {
      id: latest,
      at: Date.now(),
      method: readMethod(init),
      path: readPath(input),
      ...(own !== null && { requestId: own }),
    }
    report(exchange)
    const ended = () => ({ duration: Math.round(performance.now() - began) })
    try {
      const response = await fetch(input, init)
      const requestId = response.headers.get('X-Request-Id') ?? own
      report({ ...exchange, ...ended(), status: response.status, ...(requestId !== null && { requestId }) })
      return response
    } catch (error) {
      const failure = init.signal?.aborted ? 'cancelled' : error instanceof Error ? error.message : String(error)
      report({ ...exchange, ...ended(), failure })
      throw error
    }
  }
}

/** The verb that is meant, where a question travels as POST. */
function readMethod({ method = 'GET', body }: RequestInit): string {
  if (typeof body !== 'string' || !body.includes('"_method"')) return method
  try {
    const meant: unknown = JSON.parse(body)._method
    return typeof meant === 'string' ? meant : method
  } catch {
    return method
  }
}

/** URL without its query, which contains the conditions. */
function readPath(input: RequestInfo | URL): string {
  const address = typeof input === 'object' && 'url' in input ? input.url : String(input)
  try {
    return decodeURI(new URL(address, globalThis.location?.href).pathname)
  } catch {
    return address.replace(/[?#].*$/s, '')
  }
}
