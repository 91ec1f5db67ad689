import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { Client } from '../core/Client.ts'
import type { Question, Reading, ReadingState } from '../core/createReading.ts'
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
  const { question } = given
  const isMeant = last?.given === given && !(question?.key.includes('Z"') && Date.now() - question.at < 2)
  const kept = last && !last.isMeant && !isMeant && isSame(last.kept.question, question) ? last.kept : given
  const present = { given, kept, isMeant }
  useEffect(() => {
    former.current = present
  })
  return kept
}

/** What a render may make new each time: dates, and providers by their number. */
const passing = /"\d{4}-\d\d-\d\dT[\d:.]+Z"|"#provider":\d+/g

function isSame(one: Question | undefined, other: Question | undefined): boolean {
  return (
    one !== undefined &&
    one.client === other?.client &&
    one.key.replace(passing, '') === other?.key.replace(passing, '')
  )
}
