import type { CountersignError } from '@countersign/protocol'
import type { Callbacks } from './Callbacks.ts'
import type { Client } from './Client.ts'
import { createStore } from './createStore.ts'
import { NotAuthenticatedError } from './errors/NotAuthenticatedError.ts'
import type { Store } from './Store.ts'

export type QueryState<Data> =
  | { readonly status: 'pending' }
  | { readonly status: 'success'; readonly data: Data; readonly isFetching: boolean }
  | { readonly status: 'error'; readonly error: CountersignError }

export type Query<Data> = {
  readonly state: Store<QueryState<Data>>
  /** Reads again; joins a reading that is under way. */
  readonly refetch: () => Promise<void>
  /** What was read no longer holds: reads again, if anyone looks, and throws away a reading under way. */
  readonly invalidate: () => void
}

type Reading = { readonly controller: AbortController; readonly done: Promise<void> }

/**
 * A reading shared by all who look at it: the first look starts it, the last one to leave cancels it. `owner` names
 * whose data it is; when that changes, nothing of the former owner is shown.
 */
export function createQuery<Data>(
  client: Client,
  list: (client: Client, callbacks: Callbacks<Data>) => Promise<Data | undefined>,
  owner: (client: Client) => string | undefined,
): Query<Data> {
  const state = createStore<QueryState<Data>>({ status: 'pending' })
  let viewers = 0
  let stop: (() => void) | undefined
  let reading: Reading | undefined
  let shownOwner: string | undefined

  function cancel(): void {
    reading?.controller.abort()
    reading = undefined
  }

  function read(): Promise<void> {
    if (reading) return reading.done
    const controller = new AbortController()
    const isLatest = () => reading?.controller === controller
    const before = state.get()
    if (before.status === 'success') state.set({ ...before, isFetching: true })
    else state.set(before.status === 'pending' ? before : { status: 'pending' })
    const finish = (outcome: QueryState<Data>) => {
      if (!isLatest()) return
      reading = undefined
      state.set(outcome)
    }
    const done = list(client, {
      signal: controller.signal,
      onSuccess: (data) => finish({ status: 'success', data, isFetching: false }),
      onError: (error) => finish({ status: 'error', error }),
    }).then(() => undefined)
    reading = { controller, done }
    return done
  }

  function look(): void {
    const present = owner(client)
    if (present !== undefined && present === shownOwner) return
    cancel()
    shownOwner = present
    if (present !== undefined) {
      if (state.get().status !== 'pending') state.set({ status: 'pending' })
      void read()
      return
    }
    const reason = whyNot(client)
    if (reason) state.set({ status: 'error', error: reason })
    else if (state.get().status !== 'pending') state.set({ status: 'pending' })
  }

  function start(): void {
    const stops = [client.session.subscribe(look), client.initialization.subscribe(look)]
    stop = () => {
      for (const end of stops) end()
      stop = undefined
      cancel()
    }
    const isKnown = shownOwner !== undefined && shownOwner === owner(client)
    if (isKnown) void read()
    else look()
  }

  return {
    state: {
      get: state.get,
      subscribe(listener) {
        const end = state.subscribe(listener)
        viewers++
        if (!stop) start()
        return () => {
          end()
          viewers--
          // Later, for React leaves and comes back at once when it only tries a component out.
          setTimeout(() => {
            if (viewers === 0) stop?.()
          })
        }
      },
    },
    refetch: () => (owner(client) === undefined ? Promise.resolve() : read()),
    invalidate() {
      if (!stop || owner(client) === undefined) return
      cancel()
      void read()
    },
  }
}

/** Why there is no owner, when waiting would not help. */
function whyNot(client: Client): CountersignError | undefined {
  const initialization = client.initialization.get()
  if (initialization.status === 'error') return initialization.error
  const session = client.session.get()
  if (session.status === 'undefined' || session.status === 'authenticating') return undefined
  return new NotAuthenticatedError('User needs to be authenticated before reading this data')
}
