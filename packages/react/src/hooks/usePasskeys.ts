import type { Passkey } from '../core/Passkey.ts'
import { getPasskeysQuery } from '../core/queries/getPasskeysQuery.ts'
import { type UseQuery, useQuery } from './useQuery.ts'

/**
 * The user's passkeys. They are read again after one is added or removed.
 *
 * @example
 * const passkeys = usePasskeys()
 * if (passkeys.status === 'success') return passkeys.data.map((passkey) => <p key={passkey.objectId}>{passkey.name}</p>)
 */
export function usePasskeys(): UseQuery<readonly Passkey[]> {
  return useQuery(getPasskeysQuery)
}
