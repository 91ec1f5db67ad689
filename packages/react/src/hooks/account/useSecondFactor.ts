'use client'

import type { SecondFactor } from '../../core/account/inputs.ts'
import {
  confirmTotp,
  forgetDevices,
  getSecondFactor,
  removeSecondFactor,
  signInWithSecondFactor,
  startTotp,
  updateSecondFactor,
} from '../../core/account/secondFactor.ts'
import { defineAccountReading } from '../../core/readings/defineReading.ts'
import { useClient } from '../client/useClient.ts'
import { type ActionHook, useAction, usePlainAction } from '../client/useMutation.ts'
import { type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

const factorReading = /*#__PURE__*/ defineAccountReading('getSecondFactor', (client, _: undefined, options) =>
  getSecondFactor(client, options),
)

/**
 * Second factor of the user's account.
 *
 * @example
 * const factor = useSecondFactor()
 * if (factor.status === 'success') return <p>{factor.data.totp ? 'On' : 'Off'}</p>
 */
export function useSecondFactor<Selected = SecondFactor>(
  options?: ReadOptions<SecondFactor, Selected>,
): UseAsync<Selected> {
  return useReading(factorReading(useClient(), undefined), options)
}

export type UseStartTotp = ActionHook<'startTotp', typeof startTotp>

/**
 * A new secret for an authenticator app.
 *
 * @example
 * const { startTotp, status } = useStartTotp()
 * <button disabled={status === 'pending'} onClick={() => startTotp({})}>Set up</button>
 */
export function useStartTotp(): UseStartTotp {
  return useAction('startTotp', startTotp)
}

export type UseConfirmTotp = ActionHook<'confirmTotp', typeof confirmTotp>

/**
 * Turns the authenticator app on.
 *
 * @example
 * const { confirmTotp, status } = useConfirmTotp()
 * <button disabled={status === 'pending'} onClick={() => confirmTotp({ code: '123456' })}>Turn on</button>
 */
export function useConfirmTotp(): UseConfirmTotp {
  return useAction('confirmTotp', confirmTotp)
}

export type UseRemoveSecondFactor = ActionHook<'removeSecondFactor', typeof removeSecondFactor>

/**
 * Turns the second factor off.
 *
 * @example
 * const { removeSecondFactor, status } = useRemoveSecondFactor()
 * <button disabled={status === 'pending'} onClick={() => removeSecondFactor()}>Turn off</button>
 */
export function useRemoveSecondFactor(): UseRemoveSecondFactor {
  return usePlainAction('removeSecondFactor', removeSecondFactor)
}

export type UseUpdateSecondFactor = ActionHook<'updateSecondFactor', typeof updateSecondFactor>

/**
 * Has the account ask for a passkey as its second factor, or no longer.
 *
 * @example
 * const { updateSecondFactor, status } = useUpdateSecondFactor()
 * <button disabled={status === 'pending'} onClick={() => updateSecondFactor({ passkey: true })}>Ask for my passkey</button>
 */
export function useUpdateSecondFactor(): UseUpdateSecondFactor {
  return useAction('updateSecondFactor', updateSecondFactor)
}

export type UseForgetDevices = ActionHook<'forgetDevices', typeof forgetDevices>

/**
 * Forgets the devices that need no second factor.
 *
 * @example
 * const { forgetDevices, status } = useForgetDevices()
 * <button disabled={status === 'pending'} onClick={() => forgetDevices()}>Ask on every device</button>
 */
export function useForgetDevices(): UseForgetDevices {
  return usePlainAction('forgetDevices', forgetDevices)
}

export type UseSignInWithSecondFactor = ActionHook<'signInWithSecondFactor', typeof signInWithSecondFactor>

/**
 * The second step of a sign-in.
 *
 * @example
 * const { signInWithSecondFactor, status } = useSignInWithSecondFactor()
 * <button disabled={status === 'pending'} onClick={() => signInWithSecondFactor({ ticket, code: '123456' })}>Go</button>
 */
export function useSignInWithSecondFactor(): UseSignInWithSecondFactor {
  return useAction('signInWithSecondFactor', signInWithSecondFactor)
}
