'use client'

import { createRecoveryCodes, getAccountSecurity, updateAccountSecurity } from '../../core/account/accountSecurity.ts'
import { listActivity } from '../../core/account/activity.ts'
import type { ListActivityInput } from '../../core/account/inputs.ts'
import { listSignInMethods } from '../../core/account/signInMethods.ts'
import { defineAccountReading } from '../../core/readings/defineReading.ts'
import type { AccountSecurity, Activity, SignInMethods } from '../../core/values/records.ts'
import { useClient } from '../client/useClient.ts'
import { type ActionHook, useAction, usePlainAction } from '../client/useMutation.ts'
import { type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

const activityReading = /*#__PURE__*/ defineAccountReading('listActivity', listActivity)

const methodsReading = /*#__PURE__*/ defineAccountReading('listSignInMethods', (client, _: undefined, options) =>
  listSignInMethods(client, options),
)

const securityReading = /*#__PURE__*/ defineAccountReading('getAccountSecurity', (client, _: undefined, options) =>
  getAccountSecurity(client, options),
)

/**
 * How many recovery codes the user has left, and whether sign-ins on new devices are reported by mail.
 *
 * @example
 * const security = useAccountSecurity()
 * if (security.status === 'success') return <p>{security.data.recoveryCodes.left} codes left</p>
 */
export function useAccountSecurity<Selected = AccountSecurity>(
  options?: ReadOptions<AccountSecurity, Selected>,
): UseAsync<Selected> {
  return useReading(securityReading(useClient(), undefined), options)
}

export type UseUpdateAccountSecurity = ActionHook<'updateAccountSecurity', typeof updateAccountSecurity>

/**
 * Turns the mails about new devices on or off.
 *
 * @example
 * const { updateAccountSecurity, status } = useUpdateAccountSecurity()
 * <button disabled={status === 'pending'} onClick={() => updateAccountSecurity({ signInAlerts: true })}>Alert me</button>
 */
export function useUpdateAccountSecurity(): UseUpdateAccountSecurity {
  return useAction('updateAccountSecurity', updateAccountSecurity)
}

/**
 * All sign-in methods of the user's account. They are read again after one of them changes.
 *
 * @example
 * const methods = useSignInMethods()
 * if (methods.status === 'success') return <p>{methods.data.wallets.length} wallets</p>
 */
export function useSignInMethods<Selected = SignInMethods>(
  options?: ReadOptions<SignInMethods, Selected>,
): UseAsync<Selected> {
  return useReading(methodsReading(useClient(), undefined), options)
}

/**
 * Events of the user's account: the newest, or the given page and kinds.
 *
 * @example
 * const activity = useActivity({ actions: ['signIn'] })
 * if (activity.status === 'success') return activity.data.map(({ id, action, at }) => <p key={id}>{`${action} ${at.toLocaleString()}`}</p>)
 */
export function useActivity<Selected = readonly Activity[]>(
  input: ListActivityInput = {},
  options?: ReadOptions<readonly Activity[], Selected>,
): UseAsync<Selected> {
  return useReading(activityReading(useClient(), input), options)
}

export type UseCreateRecoveryCodes = ActionHook<'createRecoveryCodes', typeof createRecoveryCodes>

/**
 * Generates ten new recovery codes, which are shown once.
 *
 * @example
 * const { createRecoveryCodes, status } = useCreateRecoveryCodes()
 * <button disabled={status === 'pending'} onClick={() => createRecoveryCodes()}>Make codes</button>
 */
export function useCreateRecoveryCodes(): UseCreateRecoveryCodes {
  return usePlainAction('createRecoveryCodes', createRecoveryCodes)
}
