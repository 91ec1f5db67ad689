import type { AccountSecurity } from '../core/AccountSecurity.ts'
import { type UpdateAccountSecurityInput, updateAccountSecurity } from '../core/actions/updateAccountSecurity.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useMutation } from './useMutation.ts'

export type UseUpdateAccountSecurity = MutationState<AccountSecurity> & {
  readonly updateAccountSecurity: (
    input: UpdateAccountSecurityInput,
    callbacks?: Callbacks<AccountSecurity>,
  ) => Promise<AccountSecurity | undefined>
  readonly reset: () => void
}

/**
 * Turns the mails about new devices on or off.
 *
 * @example
 * const { updateAccountSecurity, status } = useUpdateAccountSecurity()
 * <button disabled={status === 'pending'} onClick={() => updateAccountSecurity({ signInAlerts: true })}>Tell me</button>
 */
export function useUpdateAccountSecurity(): UseUpdateAccountSecurity {
  const { state, run, reset } = useMutation(updateAccountSecurity)
  return { ...state, updateAccountSecurity: run, reset }
}
