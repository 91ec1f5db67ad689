import { getWaysInQuery } from '../core/queries/getWaysInQuery.ts'
import type { WaysIn } from '../core/WaysIn.ts'
import { type UseQuery, useQuery } from './useQuery.ts'

/**
 * Every way in that the user's account has. They are read again after one of them changes.
 *
 * @example
 * const waysIn = useWaysIn()
 * if (waysIn.status === 'success') return <p>{waysIn.data.wallets.length} wallets</p>
 */
export function useWaysIn(): UseQuery<WaysIn> {
  return useQuery(getWaysInQuery)
}
