import type { CountersignError } from '@countersign/protocol'
import type { Callbacks } from './Callbacks.ts'
import type { Client } from './Client.ts'
import { createStore } from './createStore.ts'
import { NotAuthenticatedError } from './errors/NotAuthenticatedError.ts'
import { keepIdentity } from './keepIdentity.ts'
import type { Store } from './Store.ts'

export type ReadingState<Data> =
  | {
      readonly status: 'pending'
      readonly data?: undefined
      readonly error?: undefined
      readonly isFetching?: undefined
    }
  | { readonly status: 'success'; readonly data: Data; readonly error?: undefined; readonly isFetching: boolean }
  | {
      readonly status: 'error'
      /** What was read before, where reading it again failed. */
      readonly data?: Data
      readonly error: CountersignError
      readonly isFetching: boolean
    }

/** What a reading answers, in writing, of which client it was asked first, and when. */
export type Question = { readonly key: string; readonly client: Client; readonly at: number }

export type Reading<Data> = {
  /** Whoever subscribes is a viewer: the first one starts the reading. */
  readonly state: Store<ReadingState<Data>>
  /** The same state for those who only look on and start nothing. */
  readonly peek: Store<ReadingState<Data>>
  /** The state before anything is known, as a page is rendered with on the server. */
  readonly initial: () => ReadingState<Data>
  /** Where components share it. */
  readonly question?: Question
  /** Reads again; joins a reading that is under way. */
  readonly refetch: () => Promise<void>
  /** What was read no longer holds: reads again, if anyone looks, and throws away a reading under way. */
  readonly invalidate: () => void
}

type Known<Data> = Exclude<ReadingState<Data>, { readonly status: 'pending' }>
type Attempt = { readonly controller: AbortController; readonly done: Promise<void> }

/**
 * A reading shared by all who look at it: the first look starts it, the last one to leave cancels it. `owner` names
 * whose data it is; when that changes, which `sources` tell, nothing of the former owner is shown. `whyNot` tells why
 * there is no owner, when waiting would not help.
 */
export function createReading<Data>(
  client: Client,
  list: (client: Client, callbacks: Callbacks<Data>) => Promise<Data | undefined>,
  owner: (client: Client) => string | undefined,
  whyNot: (client: Client) => CountersignError | undefined = wantUser,
  sources: readonly Pick<Store<unknown>, 'subscribe'>[] = [client.session, client.initialization],
): Reading<Data> {
  // Its own, for React passes over a change from one reading to another where both are in the same state.
  const pending = { status: 'pending' } as const
  const state = createStore<ReadingState<Data>>(pending)
  let viewers = 0
  let stop: (() => void) | undefined
  let attempt: Attempt | undefined
  let shownOwner: string | undefined

  // Also right before anyone has heard of the change: a first render must not show what another user read.
  const get = () => (owner(client) === shownOwner ? state.get() : pending)

  function cancel(): void {
    attempt?.controller.abort()
    attempt = undefined
  }

  function read(): Promise<void> {
    if (attempt) return attempt.done
    const controller = new AbortController()
    const before = state.get()
    const known = 'data' in before ? (before as Known<Data>) : undefined
    state.set(known ? { ...known, isFetching: true } : pending)
    const finish = (outcome: ReadingState<Data>) => {
      if (attempt?.controller !== controller) return
      attempt = undefined
      state.set(outcome)
    }
    const done = list(client, {
      signal: controller.signal,
      onSuccess(data) {
        finish({ status: 'success', data: known ? keepIdentity(known.data, data) : data, isFetching: false })
      },
      onError: (error) => finish({ ...known, status: 'error', error, isFetching: false }),
    }).then(() => undefined)
    attempt = { controller, done }
    return done
  }

  /** Makes the state the present owner's; says whether that is another one. */
  function adopt(): boolean {
    const present = owner(client)
    if (present !== undefined && present === shownOwner) return false
    cancel()
    shownOwner = present
    const reason = present === undefined ? whyNot(client) : undefined
    state.set(reason ? { status: 'error', error: reason, isFetching: false } : pending)
    return true
  }

  function look(): void {
    if (adopt() && shownOwner !== undefined) void read()
  }

  function start(): void {
    const stops = sources.map((source) => source.subscribe(look))
    stop = () => {
      for (const end of stops) end()
      stop = undefined
      cancel()
      const left = state.get()
      if (left.isFetching) state.set({ ...left, isFetching: false })
    }
    adopt()
    if (shownOwner !== undefined) void read()
  }

  return {
    state: {
      get,
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
    peek: { get, subscribe: state.subscribe },
    initial: () => pending,
    refetch() {
      adopt()
      return shownOwner === undefined ? Promise.resolve() : read()
    },
    invalidate() {
      if (!stop || owner(client) === undefined) return
      cancel()
      void read()
    },
  }
}

function wantUser(client: Client): CountersignError | undefined {
  const initialization = client.initialization.get()
  if (initialization.status === 'error') return initialization.error
  const session = client.session.get()
  // A page may be rendered with the user before its session is looked at.
  if (session.status !== 'unauthenticated' && session.status !== 'error') return undefined
  return new NotAuthenticatedError('User needs to be authenticated before reading this data')
}
