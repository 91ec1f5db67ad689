import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { Client } from '../core/Client.ts'
import type { Reading } from '../core/createReading.ts'
import { readerOf } from '../core/documents/readerOf.ts'
import { type UseReading, useSteady } from './useReading.ts'

export type ReadOptions = {
  /** With `false` nothing is read; what is known already is shown. */
  readonly enabled?: boolean
  /** While another question is being read for the first time, what the former one gave stays on show. */
  readonly keepPrevious?: boolean
}

export type UseDocumentReading<Data> = UseReading<Data> & {
  /** What is shown is the answer to the former question. */
  readonly isPrevious: boolean
}

const unknownReader = () => undefined

/** Joins a component to a reading of documents, which other components may share. */
export function useDocumentReading<Data>(
  client: Client,
  given: Reading<Data>,
  { enabled = true, keepPrevious = false }: ReadOptions,
): UseDocumentReading<Data> {
  const reading = useSteady(given)
  const { subscribe, get } = enabled ? reading.state : reading.peek
  const state = useSyncExternalStore(subscribe, get, reading.initial)
  // The former answer must leave the screen with its reader, also where nothing else changes at that moment.
  useSyncExternalStore(client.session.subscribe, () => readerOf(client), unknownReader)
  const former = useRef<Reading<Data>>(undefined)
  useEffect(() => {
    if (state.status === 'success') former.current = reading
  }, [reading, state.status])
  // Asked of the reading and not remembered here: it shows nothing to anyone but the user who read it.
  const previous = keepPrevious && state.status === 'pending' ? former.current?.peek.get() : undefined
  if (previous?.status === 'success') {
    return { ...previous, isFetching: true, isPrevious: true, refetch: reading.refetch }
  }
  return { ...state, isPrevious: false, refetch: reading.refetch }
}
