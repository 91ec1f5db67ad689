import { useSyncExternalStore } from 'react'
import type { Client } from '../core/Client.ts'
import type { Reading, ReadingState } from '../core/createReading.ts'
import { useClient } from './useClient.ts'

export type UseReading<Data> = ReadingState<Data> & { readonly refetch: () => Promise<void> }

const pending = { status: 'pending' } as const

/** Joins a component to a reading that all components of the client share. */
export function useReading<Data>(getReading: (client: Client) => Reading<Data>): UseReading<Data> {
  const reading = getReading(useClient())
  const state = useSyncExternalStore<ReadingState<Data>>(reading.state.subscribe, reading.state.get, () => pending)
  return { ...state, refetch: reading.refetch }
}
