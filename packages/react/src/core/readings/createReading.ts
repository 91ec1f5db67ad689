import type { CountersignError } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import type { ActionOptions } from '../client/runAction.ts'
import { NotAuthenticatedError, toCountersignError } from '../errors/errors.ts'
import type { AsyncState } from '../state/AsyncState.ts'
import { createStore, type Store } from '../state/createStore.ts'
import type { Recoverable } from '../state/Recovery.ts'
import { noteOutcome } from './recover.ts'
import { shareStructure } from './shareStructure.ts'

/** Key of a reading, and the first client that used it. */
export type Question = { readonly key: string; readonly client: Client }

export type SubscribeOptions = {
  /** Time (ms) for which read data is not read again. */
  readonly staleTime?: number | undefined
  /** With 0 a failure is not followed by another try. */
  readonly retry?: number | undefined
  /** Data that is known already, as of now. */
  readonly initialData?: unknown
}

export type Reading<Data> = {
  /** Reads for as long as anyone is subscribed. */
  readonly subscribe: (listener: () => void, options?: SubscribeOptions) => () => void
  /** The same state, without starting a read. */
  readonly peek: Store<AsyncState<Data>>
  /** The state before anything is known, as a page is rendered with on the server. */
  readonly initial: () => AsyncState<Data>
  /** Set if components share it. */
  readonly question?: Question
  /** Milliseconds since it was read last. */
  readonly age: () => number
  /** Reads again; joins a reading that is under way. */
  readonly refetch: () => Promise<void>
  /** Marks the data as outdated: reads again if anyone is subscribed, and discards a pending reading. */
  readonly invalidate: () => void
  /** Starts with the rendering server's data for this owner. */
  readonly hydrate: (data: unknown, owner: string) => void
  /** Changes the data, and also pending data when it arrives. */
  readonly patch: (change: (data: unknown) => unknown) => void
}

export type ReadingParts<Data> = {
  readonly read: (client: Client, options: ActionOptions) => Promise<Data>
  /** Owner of the data; after a change nothing of the former owner is shown. Nothing is read without an owner. */
  readonly owner: (client: Client) => string | undefined
  /** Why there is no owner, where waiting would not help. */
  readonly whyNot?: (client: Client) => CountersignError | undefined
  /** The stores that the owner depends on. */
  readonly sources?: readonly Pick<Store<unknown>, 'subscribe'>[]
}

/** Time (ms) from the rendering of a page on the server to its first check of the data. */
const renderTime = 10_000

type Attempt = {
  readonly controller: AbortController
  readonly done: Promise<void>
  /** Changes that its response may not include yet. */
  readonly late: ((data: unknown) => unknown)[]
}

/** A reading shared by all that subscribe to it: the first starts it, the last to leave cancels it. */
export function createReading<Data>(
  client: Client,
  { read, owner, whyNot = requireReader, sources = [client.session, client.initialization] }: ReadingParts<Data>,
): Reading<Data> {
  // Its own object, because React ignores a change from one reading to another where both are in the same state.
  const pending: AsyncState<Data> = { status: 'pending', isFetching: false }
  const loading: AsyncState<Data> = { status: 'pending', isFetching: true }
  const state = createStore<AsyncState<Data>>(pending)
  let viewers = 0
  let stop: (() => void) | undefined
  let attempt: Attempt | undefined
  let shownOwner: string | undefined
  let readAt = 0
  let options: SubscribeOptions = {}
  let seed: { readonly owner: string; readonly state: AsyncState<Data> } | undefined
  let rendered: AsyncState<Data> = pending
  let isRendered = false
  const recoverable: Recoverable = { retry: () => void start(true), failures: 0, notBefore: 0, due: 0 }

  // Correct even before the change is notified: a first render must not show another user's data.
  const get = () => (owner(client) === shownOwner ? state.get() : pending)

  const age = () => Date.now() - readAt

  function cancel(): void {
    attempt?.controller.abort()
    attempt = undefined
    client.internal.recovery?.remove(recoverable)
  }

  function start(isRetry = false): Promise<void> {
    if (attempt) return attempt.done
    client.internal.recovery?.remove(recoverable)
    const controller = new AbortController()
    const { signal } = controller
    const before = state.get()
    // Components that subscribed know that it is read, and are not rendered for it.
    if (before.data === undefined && !isRetry) state.set(stop ? pending : loading)
    else state.set({ ...before, isFetching: true } as AsyncState<Data>)
    const finish = (outcome: AsyncState<Data>) => {
      if (attempt?.controller !== controller) return
      attempt = undefined
      readAt = Date.now()
      state.set(outcome)
      noteOutcome(client, recoverable, outcome.error, stop !== undefined && options.retry !== 0)
    }
    const known = before.data === undefined ? undefined : { data: before.data }
    const late: Attempt['late'] = []
    const adapt = (data: Data) => {
      const patched = late.reduce<unknown>((value, change) => change(value), data) as Data
      return known ? shareStructure(state.get().data, patched) : patched
    }
    const done = read(client, { signal }).then(
      (data) => finish({ status: 'success', data: adapt(data), isFetching: false }),
      (error) =>
        finish({ ...dataOf(state.get()), status: 'error', error: toCountersignError(error), isFetching: false }),
    )
    attempt = { controller, done, late }
    return done
  }

  /** Makes the state the present owner's; says whether that is another one. */
  function adopt(): boolean {
    const present = owner(client)
    if (present !== undefined && present === shownOwner) return false
    cancel()
    shownOwner = present
    readAt = 0
    if (seed && (present === undefined || present === seed.owner)) {
      isRendered = present !== undefined
      if (isRendered) readAt = Date.now()
      state.set(seed.state)
      if (isRendered) seed = undefined
      return true
    }
    seed = undefined
    const error = present === undefined ? whyNot(client) : undefined
    state.set(error ? { status: 'error', error, isFetching: false } : pending)
    return true
  }

  function look(): void {
    if (!adopt() || shownOwner === undefined) return
    plant()
    if (isDue()) void start()
  }

  /** Data that the server has just read for the page is not read again. */
  function isDue(): boolean {
    const least = isRendered ? renderTime : 0
    isRendered = false
    // Also with a `staleTime` of Infinity, it is read once.
    return !readAt || age() >= Math.max(options.staleTime ?? 0, least)
  }

  /** Takes initial data once: it belongs to the first owner. */
  function plant(): void {
    const { initialData, staleTime = 0 } = options
    options = { ...options, initialData: undefined }
    if (initialData === undefined || staleTime === 0 || state.get().data !== undefined) return
    readAt = Date.now()
    state.set({ status: 'success', data: initialData as Data, isFetching: false })
  }

  function open(): void {
    const stops = sources.map((source) => source.subscribe(look))
    stop = () => {
      for (const end of stops) end()
      stop = undefined
      cancel()
      const left = state.get()
      if (left.isFetching) state.set(left.status === 'pending' ? pending : { ...left, isFetching: false })
    }
    adopt()
    if (shownOwner === undefined) return
    plant()
    if (isDue()) void start()
  }

  return {
    subscribe(listener, given = {}) {
      const end = state.subscribe(listener)
      viewers++
      if (!stop) {
        options = given
        open()
      } else if (given.retry !== 0) options = { ...options, retry: given.retry }
      return () => {
        end()
        viewers--
        // Later, because React unsubscribes and subscribes again at once in StrictMode.
        setTimeout(() => {
          if (viewers === 0) stop?.()
        })
      }
    },
    peek: { get, subscribe: state.subscribe },
    initial: () => rendered,
    hydrate(data, owner) {
      rendered = { status: 'success', data: data as Data, isFetching: false }
      seed = { owner, state: rendered }
      state.set(rendered)
    },
    age,
    refetch() {
      adopt()
      return shownOwner === undefined ? Promise.resolve() : start()
    },
    invalidate() {
      if (!stop || owner(client) === undefined) {
        readAt = 0
        return
      }
      cancel()
      void start()
    },
    patch(change) {
      attempt?.late.push(change)
      const before = state.get()
      if (before.data === undefined) return
      const data = change(before.data) as Data
      if (data !== before.data) state.set({ ...before, data } as AsyncState<Data>)
    },
  }
}

function dataOf<Data>({ data }: AsyncState<Data>): { readonly data?: Data } {
  return data === undefined ? {} : { data }
}

function requireReader(client: Client): CountersignError | undefined {
  const initialization = client.initialization.get()
  if (initialization.status === 'error') return initialization.error
  const session = client.session.get()
  // A page may be rendered with the user before its session is looked at.
  if (session.status !== 'unauthenticated' && session.status !== 'error') return undefined
  return new NotAuthenticatedError('User needs to be authenticated before reading this data')
}
