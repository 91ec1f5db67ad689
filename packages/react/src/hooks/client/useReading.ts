'use client'

import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { Client } from '../../core/client/Client.ts'
import { loadOnce } from '../../core/platform/loadOnce.ts'
import type { Reading } from '../../core/readings/createReading.ts'
import { readerOf } from '../../core/readings/readerOf.ts'
import { shareStructure } from '../../core/readings/shareStructure.ts'
import type { AsyncState } from '../../core/state/AsyncState.ts'
import { useClient } from './useClient.ts'

export type ReadOptions<Data = never, Selected = Data> = {
  /** With `false` nothing is read; cached data is shown. */
  readonly enabled?: boolean | undefined
  /** While another question is read for the first time, the data of the former one stays. */
  readonly keepPrevious?: boolean | undefined
  /** Shown as `data` in place of the read data. */
  readonly select?: ((data: Data) => Selected) | undefined
  /** Data that is known before the first response, such as from the server that rendered the page. */
  readonly initialData?: Data | undefined
  /** As `initialData`, with `isPlaceholderData: true`. */
  readonly placeholderData?: Data | undefined
  /** Milliseconds for which data that another component read is not read again; 0 by default. */
  readonly staleTime?: number | undefined
  /** Milliseconds after which it is read again, again and again. */
  readonly refetchInterval?: number | undefined
  /** Reads again when the page is seen again; false by default. */
  readonly refetchOnFocus?: boolean | undefined
  /** Reads again when the network is back; false by default. */
  readonly refetchOnReconnect?: boolean | undefined
  /**
   * Number of retries after a refusal of the server; 0 by default. Temporary failures are retried while the reading is
   * shown, unless this is 0.
   */
  readonly retry?: number | undefined
}

/** Read options of hooks whose data is more than one response. */
export type PlainReadOptions = Omit<ReadOptions, 'select' | 'initialData' | 'placeholderData'>

export type UseAsync<Data> = AsyncState<Data> & {
  /** `idle` where nothing is being read, as with `enabled: false`. */
  readonly fetchStatus: 'fetching' | 'idle'
  /**
   * True if a refresh of the shown data failed: `error` says why, and it is retried automatically. With an offline store
   * also while the server has not confirmed the data.
   */
  readonly isStale: boolean
  /** Time (ms) of a result that an offline store has kept, until the server has responded. */
  readonly readAt?: number
  /** True if the data is from an offline store that keeps only a part of the documents. */
  readonly isPartial?: boolean
  /** The data shown is that of the former question, or the placeholder. */
  readonly isPlaceholderData: boolean
  readonly refetch: () => Promise<void>
}

const unknownReader = () => undefined
const loadFresh = /*#__PURE__*/ loadOnce(() => import('../../core/readings/keepFresh.ts'))

/** Joins a component to a reading, which other components may share. */
export function useReading<Data, Selected = Data>(
  reading: Reading<Data>,
  given: ReadOptions<Data, Selected> = {},
): UseAsync<Selected> {
  const client = useClient()
  const options = withDefaults(client, given)
  const { enabled = true, keepPrevious, select, initialData, placeholderData, staleTime, retry } = options
  const { peek, refetch } = reading
  const initial = useRef(initialData)
  useChangeWarning(reading.question?.key)
  const subscribe = useCallback(
    (listener: () => void) =>
      enabled
        ? reading.subscribe(listener, { staleTime, retry, initialData: initial.current })
        : peek.subscribe(listener),
    [reading, peek, enabled, staleTime, retry],
  )
  const read = useSyncExternalStore(subscribe, peek.get, reading.initial)
  let state = read
  // The former data must leave the screen with its reader, also where nothing else changes at that moment.
  useSyncExternalStore(client.session.subscribe, () => readerOf(client), unknownReader)
  const former = useRef<Reading<Data>>(undefined)
  useEffect(() => {
    if (read.data !== undefined) former.current = reading
  }, [reading, read.data])
  useFresh(reading, options)
  let isPlaceholderData = false
  if (state.data === undefined) {
    // Read from the reading and not stored here: it shows data only to the user who read it.
    const previous = keepPrevious ? former.current?.peek.get().data : undefined
    const data = previous ?? initialData ?? (state.error ? undefined : placeholderData)
    if (data !== undefined) {
      isPlaceholderData = data !== initialData
      state = state.error ? { ...state, data } : { status: 'success', data, isFetching: enabled }
    }
  }
  const isFetching = state.isFetching || (enabled && state.status === 'pending')
  const { data } = state
  const selected = useSelected(data, select)
  return {
    isStale: !!state.error && data !== undefined,
    ...state,
    data: selected,
    isFetching,
    fetchStatus: isFetching ? 'fetching' : 'idle',
    isPlaceholderData,
    refetch,
  } as UseAsync<Selected>
}

/** Result of `select`: the same object while the result is equal, also with a new function. */
export function useSelected<Data, Selected>(
  data: Data | undefined,
  select: ((data: Data) => Selected) | undefined,
): Data | Selected | undefined {
  const last = useRef<unknown>(undefined)
  const selected = useMemo(
    () => (select && data !== undefined ? shareStructure(last.current, select(data)) : data),
    [select, data],
  )
  useEffect(() => {
    last.current = selected
  }, [selected])
  return selected
}

/** The options of a hook over those of the provider. */
function withDefaults<Given extends object>(client: Client, given: Given): Given {
  const { readDefaults } = client.internal.options
  if (!readDefaults) return given
  const own = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...readDefaults, ...Object.fromEntries(own) } as Given
}

/** Loads the code that keeps a reading fresh only if a component needs it. */
function useFresh<Data>(reading: Reading<Data>, options: PlainReadOptions): void {
  const { enabled = true, refetchInterval, refetchOnFocus, refetchOnReconnect, retry, staleTime } = options
  const isWanted = enabled && (refetchInterval || refetchOnFocus || refetchOnReconnect || retry)
  useEffect(() => {
    if (!isWanted) return
    let stop: (() => void) | undefined
    let isOver = false
    loadFresh().then(
      ({ keepFresh }) => {
        if (!isOver)
          stop = keepFresh(reading, { refetchInterval, refetchOnFocus, refetchOnReconnect, retry, staleTime })
      },
      () => undefined,
    )
    return () => {
      isOver = true
      stop?.()
    }
  }, [reading, isWanted, refetchInterval, refetchOnFocus, refetchOnReconnect, retry, staleTime])
}

/** Number of renders in a row with different input that no person can cause. */
const suspicious = 20

/** In development, warns of input that is new at each render: its result renders again, which reads again. */
export function useChangeWarning(key: string | undefined): void {
  const last = useRef({ key, count: 0 })
  useEffect(() => {
    const { current } = last
    current.count = current.key === key ? 0 : current.count + 1
    current.key = key
    if (current.count === suspicious)
      void import('../../core/devtools/warnOfChange.ts').then(({ warnOfChange }) => warnOfChange(key), unknownReader)
  })
}
