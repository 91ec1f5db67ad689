import { listWaysIn } from '../core/actions/listWaysIn.ts'
import { getAccountReading } from '../core/readings/getAccountReading.ts'
import type { WaysIn } from '../core/WaysIn.ts'
import { type UseReading, useReading } from './useReading.ts'

/**
 * Every way in that the user's account has. They are read again after one of them changes.
 *
 * @example
 * const waysIn = useWaysIn()
 * if (waysIn.status === 'success') return <p>{waysIn.data.wallets.length} wallets</p>
 */
export function useWaysIn(): UseReading<WaysIn> {
  return useReading((client) => getAccountReading(client, 'listWaysIn', listWaysIn))
}
