import { useSyncExternalStore } from 'react'
import type { Client } from '../core/Client.ts'
import type { Query, QueryState } from '../core/createQuery.ts'
import { useClient } from './useClient.ts'

export type UseQuery<Data> = QueryState<Data> & { readonly refetch: () => Promise<void> }

const pending = { status: 'pending' } as const

/** Joins a component to a reading that all components of the client share. */
export function useQuery<Data>(getQuery: (client: Client) => Query<Data>): UseQuery<Data> {
  const query = getQuery(useClient())
  const state = useSyncExternalStore<QueryState<Data>>(query.state.subscribe, query.state.get, () => pending)
  return { ...state, refetch: query.refetch }
}
