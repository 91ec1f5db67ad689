import type { AccountSecurity } from '../core/AccountSecurity.ts'
import { getAccountSecurity } from '../core/actions/getAccountSecurity.ts'
import { getAccountReading } from '../core/readings/getAccountReading.ts'
import { type UseReading, useReading } from './useReading.ts'

/**
 * How many recovery codes the user has left, and whether new devices are told by mail.
 *
 * @example
 * const security = useAccountSecurity()
 * if (security.status === 'success') return <p>{security.data.recoveryCodes.left} codes left</p>
 */
export function useAccountSecurity(): UseReading<AccountSecurity> {
  return useReading((client) => getAccountReading(client, 'getAccountSecurity', getAccountSecurity))
}
