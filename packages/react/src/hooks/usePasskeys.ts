import { listPasskeys } from '../core/actions/listPasskeys.ts'
import type { Passkey } from '../core/Passkey.ts'
import { getAccountReading } from '../core/readings/getAccountReading.ts'
import { type UseReading, useReading } from './useReading.ts'

/**
 * The user's passkeys. They are read again after one is added or removed.
 *
 * @example
 * const passkeys = usePasskeys()
 * if (passkeys.status === 'success') return passkeys.data.map((passkey) => <p key={passkey.objectId}>{passkey.name}</p>)
 */
export function usePasskeys(): UseReading<readonly Passkey[]> {
  return useReading((client) => getAccountReading(client, 'listPasskeys', listPasskeys))
}
