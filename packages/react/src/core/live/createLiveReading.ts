import type { Client } from '../client/Client.ts'
import type { Query } from '../documents/Query.ts'
import { toCountersignError } from '../errors/errors.ts'
import type { Reading, SubscribeOptions } from '../readings/createReading.ts'
import { readerOf } from '../readings/readerOf.ts'
import { noteOutcome } from '../readings/recover.ts'
import { shareStructure } from '../readings/shareStructure.ts'
import type { AsyncState } from '../state/AsyncState.ts'
import { createStore } from '../state/createStore.ts'
import type { Recoverable } from '../state/Recovery.ts'
import type { Following } from './followQuery.ts'

/** Own writes whose events may still be on their way. */
const mostLate = 100

/** A reading that stays current while it is watched. The live code is loaded with the first watcher. */
export function createLiveReading<Item>(client: Client, query: Query<string, Item>): Reading<readonly Item[]> {
  const pending: AsyncState<readonly Item[]> = { status: 'pending', isFetching: false }
  const state = createStore<AsyncState<readonly Item[]>>(pending)
  let viewers = 0
  let reader: string | undefined
  let run: { following?: Promise<Following | undefined>; isOver: boolean } | undefined
  const stops: (() => void)[] = []
  const recoverable: Recoverable = {
    retry: () => void run?.following?.then((following) => following?.refetch()),
    failures: 0,
    notBefore: 0,
    due: 0,
  }
  let options: SubscribeOptions = {}
  /** This client's own writes, until the events of them have come. */
  let late: ((data: unknown) => unknown)[] = []

  // Correct even before the change is notified: a first render must not show another user's data.
  const get = () => (readerOf(client) === reader ? state.get() : pending)

  function follow(): void {
    const own: NonNullable<typeof run> = { isOver: false }
    const show = (given: AsyncState<readonly unknown[]>) => {
      if (own.isOver) return
      const rows = late.reduce<unknown>((value, change) => change(value), given.data)
      const next = given.data ? ({ ...given, data: rows } as typeof given) : given
      const before = state.get()
      const { data } = before
      const again = next.status === 'pending' ? { ...before, isFetching: true } : next
      const kept = data ? { ...again, data: again.data ? shareStructure(data, again.data) : data } : next
      state.set(kept as AsyncState<readonly Item[]>)
      if (!next.isFetching) noteOutcome(client, recoverable, next.error, options.retry !== 0)
    }
    run = own
    own.following = import('./followQuery.ts')
      .then(({ followQuery }) => (own.isOver ? undefined : followQuery(client, query, show)))
      .catch((error) => void show({ status: 'error', error: toCountersignError(error), isFetching: false }))
  }

  function leave(): void {
    if (!run) return
    client.internal.recovery?.remove(recoverable)
    run.isOver = true
    void run.following?.then((following) => following?.stop())
    run = undefined
    const left = state.get()
    if (left.isFetching) state.set(left.status === 'pending' ? pending : { ...left, isFetching: false })
  }

  function look(): void {
    const present = readerOf(client)
    if (present !== undefined && present === reader && run) return
    leave()
    const initialization = client.initialization.get()
    const isFailed = present === undefined && initialization.status === 'error'
    const { status, data } = state.get()
    const isOther = present !== reader || (status === 'error' && !data)
    reader = present
    if (isFailed) state.set({ status: 'error', error: initialization.error, isFetching: false })
    else if (isOther) state.set(pending)
    if (present !== undefined) follow()
  }

  function end(): void {
    if (viewers > 0) return
    for (const stop of stops.splice(0)) stop()
    leave()
  }

  return {
    subscribe(listener, given = {}) {
      const stop = state.subscribe(listener)
      viewers++
      if (stops.length === 0 || given.retry !== 0) options = given
      if (stops.length === 0) {
        stops.push(client.session.subscribe(look), client.initialization.subscribe(look))
        look()
      }
      return () => {
        stop()
        viewers--
        // Later, because React unsubscribes and subscribes again at once in StrictMode.
        setTimeout(end)
      }
    },
    peek: { get, subscribe: state.subscribe },
    initial: () => pending,
    // It is followed from its first reading on.
    hydrate() {},
    // It is current for as long as anyone is subscribed.
    age: () => 0,
    refetch: async () => (await run?.following)?.refetch(),
    patch(change) {
      late = [...late, change].slice(-mostLate)
      const before = state.get()
      if (before.data) state.set({ ...before, data: change(before.data) } as typeof before)
    },
    invalidate: () => void run?.following?.then((following) => following?.invalidate()),
  }
}
