import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { Client } from '../core/Client.ts'
import type { Question, Reading, ReadingState } from '../core/createReading.ts'
import { isSameQuestion } from '../core/documents/shareReading.ts'
import { useClient } from './useClient.ts'

export type UseReading<Data> = ReadingState<Data> & { readonly refetch: () => Promise<void> }

/** Joins a component to a reading that all components of the client share. */
export function useReading<Data>(getReading: (client: Client) => Reading<Data>): UseReading<Data> {
  const { state, initial, refetch } = useSteady(getReading(useClient()))
  return { ...useSyncExternalStore(state.subscribe, state.get, initial), refetch }
}

/**
 * What a component asks, without what each render makes new, such as `new Date()` or a provider written in place: each
 * answer would render it again, and so be followed by another question. What two renders ask alike is meant, unless
 * they came within one moment, in which a clock says the same twice.
 */
export function useSteady<Asked extends { readonly question?: Question }>(given: Asked): Asked {
  const former = useRef<{ given: Asked; kept: Asked; isMeant: boolean }>(undefined)
  const last = former.current
  const { key = '', at = 0 } = given.question ?? {}
  const isMeant = last?.given === given && (Date.now() - at > 1 || !key.includes('Z"'))
  const kept =
    last && !last.isMeant && !isMeant && isSameQuestion(last.kept.question, given.question) ? last.kept : given
  const present = { given, kept, isMeant }
  useEffect(() => {
    former.current = present
  })
  return kept
}
