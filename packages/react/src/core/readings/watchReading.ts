import { toCountersignError } from '../errors/errors.ts'
import type { AsyncState } from '../state/AsyncState.ts'
import type { Store } from '../state/createStore.ts'
import type { Reading } from './createReading.ts'

/** The state of a reading, for any framework: it reads while anyone is subscribed. */
export type WatchedStore<Data> = Store<AsyncState<Data>> & {
  /** The same as `get`, by the name that `useSyncExternalStore` has for it. */
  readonly getSnapshot: () => AsyncState<Data>
  readonly refetch: () => Promise<void>
}

const pending = { status: 'pending', isFetching: false } as const

/** A reading as a store. Its code is loaded with the first subscriber. */
export function watchReading<Data>(find: () => Promise<Reading<Data>>): WatchedStore<Data> {
  let reading: Reading<Data> | undefined
  let failure: AsyncState<Data> | undefined
  const load = async () => {
    // Looked up each time: an unused reading may have been removed and created again by others.
    reading = await find()
    return reading
  }
  const get = () => reading?.peek.get() ?? failure ?? pending
  return {
    get,
    getSnapshot: get,
    subscribe(listener) {
      let stop: (() => void) | undefined
      let isOver = false
      void load().then(
        (found) => {
          if (isOver) return
          stop = found.subscribe(listener)
          if (found.peek.get().status !== 'pending') listener()
        },
        (error) => {
          failure = { status: 'error', error: toCountersignError(error), isFetching: false }
          if (!isOver) listener()
        },
      )
      return () => {
        isOver = true
        stop?.()
      }
    },
    refetch: async () => (await load()).refetch(),
  }
}
