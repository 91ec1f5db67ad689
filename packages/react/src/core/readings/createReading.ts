import type { CountersignError } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import type { ActionOptions } from '../client/runAction.ts'
import { NotAuthenticatedError, toCountersignError } from '../errors/errors.ts'
import type { AsyncState } from '../state/AsyncState.ts'
import { createStore, type Store, type WritableStore } from '../state/createStore.ts'
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

/** A reading shared by all that subscribe to it: the first starts it, the last to leave cancels it. */
export function createReading<Data>(
  client: Client,
  { read, owner, whyNot = requireReader, sources = [client.session, client.initialization] }: ReadingParts<Data>,
): Reading<Data> {
  // Its own object, because React ignores a change from one reading to another where both are in the same state.
  const pending: AsyncState<Data> = { status: 'pending', isFetching: false }
  const state = createStore<AsyncState<Data>>(pending)
  let viewers = 0
  let stop: (() => void) | undefined
  let shownOwner: string | undefined
  let readAt = 0
  let options: SubscribeOptions | undefined
  let rendered: AsyncState<Data> = pending
  /** Owner of the rendered data, until it is shown. */
  let renderedFor: string | undefined
  let isRendered = false
  const parts = { read, state, pending, options: () => options, settle: show }
  const { start, cancel, patch } = createAttempts(client, parts)

  // Correct even before the change is notified: a first render must not show another user's data.
  const get = () => (owner(client) === shownOwner ? state.get() : pending)

  function show(current: AsyncState<Data>): void {
    readAt = Date.now()
    state.set(current)
  }

  /** Makes the state the present owner's; says whether that is another one. */
  function adopt(): boolean {
    const present = owner(client)
    if (present !== undefined && present === shownOwner) return false
    cancel()
    shownOwner = present
    readAt = 0
    if (renderedFor !== undefined && (present ?? renderedFor) === renderedFor) {
      isRendered = present !== undefined
      if (isRendered) {
        readAt = Date.now()
        renderedFor = undefined
      }
      state.set(rendered)
      return true
    }
    renderedFor = undefined
    const error = present === undefined ? whyNot(client) : undefined
    state.set(error ? { status: 'error', error, isFetching: false } : pending)
    return true
  }

  function look(): void {
    if (adopt()) startIfDue()
  }

  function startIfDue(): void {
    if (shownOwner === undefined) return
    const { initialData, staleTime = 0 } = options ?? {}
    // Initial data is taken once: it belongs to the first owner.
    options = { ...options, initialData: undefined }
    if (initialData !== undefined && staleTime !== 0 && state.get().data === undefined)
      show({ status: 'success', data: initialData as Data, isFetching: false })
    // Data that the server has just read for the page is not read again.
    const least = isRendered ? renderTime : 0
    isRendered = false
    // Also with a `staleTime` of Infinity, it is read once.
    if (!readAt || Date.now() - readAt >= Math.max(staleTime, least)) void start()
  }

  function open(given: SubscribeOptions): void {
    const stops = sources.map((source) => source.subscribe(look))
    options = given
    stop = () => {
      for (const end of stops) end()
      stop = undefined
      options = undefined
      cancel()
      const left = state.get()
      if (left.isFetching) state.set(left.status === 'pending' ? pending : { ...left, isFetching: false })
    }
    adopt()
    startIfDue()
  }

  return {
    subscribe(listener, given = {}) {
      const end = state.subscribe(listener)
      viewers++
      if (!stop) open(given)
      else if (given.retry !== 0) options = { ...options, retry: given.retry }
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
      renderedFor = owner
      state.set(rendered)
    },
    age: () => Date.now() - readAt,
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
    patch,
  }
}

type AttemptParts<Data> = Pick<ReadingParts<Data>, 'read'> & {
  readonly state: WritableStore<AsyncState<Data>>
  readonly pending: AsyncState<Data>
  /** Undefined while nobody is subscribed. */
  readonly options: () => SubscribeOptions | undefined
  readonly settle: (outcome: AsyncState<Data>) => void
}

type Attempts = Pick<Reading<unknown>, 'patch'> & {
  /** Reads, or joins the attempt that is under way. */
  readonly start: (isRetry?: boolean) => Promise<void>
  readonly cancel: () => void
}

type Attempt = {
  readonly controller: AbortController
  readonly done: Promise<void>
  /** Changes that its response may not include yet. */
  readonly late: ((data: unknown) => unknown)[]
}

/** Reads, one attempt at a time, and again after a failure. */
function createAttempts<Data>(client: Client, { read, state, pending, options, settle }: AttemptParts<Data>): Attempts {
  let attempt: Attempt | undefined
  const recoverable: Recoverable = { retry: () => void start(true), failures: 0, notBefore: 0, due: 0 }

  function forget(): void {
    client.internal.recovery?.remove(recoverable)
  }

  function start(isRetry = false): Promise<void> {
    if (attempt) return attempt.done
    forget()
    const controller = new AbortController()
    const before = state.get()
    // Components that subscribed know that it is read, and are not rendered for it.
    if (before.data === undefined && !isRetry) state.set(options() ? pending : { ...pending, isFetching: true })
    else state.set({ ...before, isFetching: true } as AsyncState<Data>)
    const finish = (outcome: AsyncState<Data>) => {
      if (attempt?.controller !== controller) return
      attempt = undefined
      settle(outcome)
      const wanted = options()
      noteOutcome(client, recoverable, outcome.error, wanted !== undefined && wanted.retry !== 0)
    }
    const late: Attempt['late'] = []
    const adapt = (data: Data) => {
      const patched = late.reduce<unknown>((value, change) => change(value), data) as Data
      return before.data === undefined ? patched : shareStructure(state.get().data, patched)
    }
    const done = read(client, { signal: controller.signal }).then(
      (data) => finish({ status: 'success', data: adapt(data), isFetching: false }),
      (error) => finish({ ...state.get(), status: 'error', error: toCountersignError(error), isFetching: false }),
    )
    attempt = { controller, done, late }
    return done
  }

  return {
    start,
    cancel() {
      attempt?.controller.abort()
      attempt = undefined
      forget()
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

function requireReader(client: Client): CountersignError | undefined {
  const initialization = client.initialization.get()
  if (initialization.status === 'error') return initialization.error
  const session = client.session.get()
  // A page may be rendered with the user before its session is looked at.
  if (session.status !== 'unauthenticated' && session.status !== 'error') return undefined
  return new NotAuthenticatedError('User needs to be authenticated before reading this data')
}
