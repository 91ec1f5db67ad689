'use client'

import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { loadOnce } from '../../core/platform/loadOnce.ts'
import type { Reading } from '../../core/readings/createReading.ts'
import { readerOf } from '../../core/readings/readerOf.ts'
import type { AsyncState } from '../../core/state/AsyncState.ts'
import { useClient } from './useClient.ts'

export type ReadOptions<Data = never, Selected = Data> = {
  /** With `false` nothing is read; what is known already is shown. */
  readonly enabled?: boolean | undefined
  /** While another question is read for the first time, the data of the former one stays. */
  readonly keepPrevious?: boolean | undefined
  /** Shown as `data` in place of what was read. */
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
  /** How often a failed reading is tried again, beyond the attempts of a request; 0 by default. */
  readonly retry?: number | undefined
}

/** Read options of hooks whose data is not only what one request answered. */
export type PlainReadOptions = Omit<ReadOptions, 'select' | 'initialData' | 'placeholderData'>

export type UseAsync<Data> = AsyncState<Data> & {
  /** `idle` where nothing is being read, as with `enabled: false`. */
  readonly fetchStatus: 'fetching' | 'idle'
  /** The data shown is that of the former question, or the placeholder. */
  readonly isPlaceholderData: boolean
  readonly refetch: () => Promise<void>
}

const unknownReader = () => undefined
const loadFresh = /*#__PURE__*/ loadOnce(() => import('../../core/readings/keepFresh.ts'))

/** Joins a component to a reading, which other components may share. */
export function useReading<Data, Selected = Data>(
  reading: Reading<Data>,
  options: ReadOptions<Data, Selected> = {},
): UseAsync<Selected> {
  const client = useClient()
  const { enabled = true, keepPrevious, select, initialData, placeholderData, staleTime } = options
  const { peek, initial, refetch } = reading
  useChangeWarning(reading.question?.key)
  const subscribe = useCallback(
    (listener: () => void) => (enabled ? reading.subscribe(listener, staleTime) : reading.peek.subscribe(listener)),
    [reading, enabled, staleTime],
  )
  let state = useSyncExternalStore(subscribe, peek.get, initial)
  // The former data must leave the screen with its reader, also where nothing else changes at that moment.
  useSyncExternalStore(client.session.subscribe, () => readerOf(client), unknownReader)
  const former = useRef<Reading<Data>>(undefined)
  useEffect(() => {
    if (state.status === 'success') former.current = reading
  }, [reading, state.status])
  useFresh(reading, options)
  let isPlaceholderData = false
  if (state.status === 'pending') {
    // Asked of the reading and not remembered here: it shows nothing to anyone but the user who read it.
    const previous = keepPrevious ? former.current?.peek.get().data : undefined
    const data = previous ?? initialData ?? placeholderData
    if (data !== undefined) {
      isPlaceholderData = data !== initialData
      state = { status: 'success', data, isFetching: enabled }
    }
  }
  const isFetching = state.isFetching || (enabled && state.status === 'pending')
  const { data } = state
  const selected = useMemo(() => (select && data !== undefined ? select(data) : data), [select, data])
  return {
    ...state,
    data: selected,
    isFetching,
    fetchStatus: isFetching ? 'fetching' : 'idle',
    isPlaceholderData,
    refetch,
  } as UseAsync<Selected>
}

/** What keeps a reading fresh is loaded where a component asks for it. */
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

/** So many renders in a row, each with another question, are no choice of a person. */
const suspicious = 20

/** In development, warns of a question that each render makes new: its answer renders it, and so asks the next. */
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
