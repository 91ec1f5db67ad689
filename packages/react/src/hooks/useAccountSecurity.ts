import type { AccountSecurity } from '../core/AccountSecurity.ts'
import { getAccountSecurityReading } from '../core/readings/getAccountSecurityReading.ts'
import { type UseReading, useReading } from './useReading.ts'

/**
 * How many recovery codes the user has left, and whether new devices are told by mail.
 *
 * @example
 * const security = useAccountSecurity()
 * if (security.status === 'success') return <p>{security.data.recoveryCodes.left} codes left</p>
 */
export function useAccountSecurity(): UseReading<AccountSecurity> {
  return useReading(getAccountSecurityReading)
}
