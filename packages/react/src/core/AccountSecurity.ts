import type { AccountSecurity as AccountSecurityRecord } from '@countersign/protocol'

/** The safeguards of the user's account. */
export type AccountSecurity = {
  readonly recoveryCodes: { readonly left: number; readonly made: number; readonly createdAt?: Date }
  readonly signInAlerts: boolean
}

export function readAccountSecurity({ recoveryCodes, signInAlerts }: AccountSecurityRecord): AccountSecurity {
  const { createdAt, ...counts } = recoveryCodes
  return { recoveryCodes: { ...counts, ...(createdAt && { createdAt: new Date(createdAt) }) }, signInAlerts }
}
