'use client'

import type {
  ConfirmTotpInput,
  SecondFactor,
  StartedTotp,
  StartTotpInput,
  UpdateSecondFactorInput,
} from '../../core/account/inputs.ts'
import {
  confirmTotp,
  forgetDevices,
  getSecondFactor,
  removeSecondFactor,
  type SignInWithSecondFactorInput,
  signInWithSecondFactor,
  startTotp,
  updateSecondFactor,
} from '../../core/account/secondFactor.ts'
import type { ActionError } from '../../core/errors/ActionError.ts'
import type { ActionState, Run, RunPlain } from '../../core/readings/createMutation.ts'
import { defineAccountReading } from '../../core/readings/defineReading.ts'
import type { User } from '../../core/values/User.ts'
import { useClient } from '../client/useClient.ts'
import { useAction, usePlainAction } from '../client/useMutation.ts'
import { type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

const factorReading = /*#__PURE__*/ defineAccountReading('getSecondFactor', (client, _: undefined, options) =>
  getSecondFactor(client, options),
)

/**
 * Whether the user's account asks for a second factor.
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

export type UseStartTotp = ActionState<StartedTotp, ActionError<'startTotp'>> & {
  readonly startTotp: Run<StartTotpInput, StartedTotp, ActionError<'startTotp'>>
  readonly reset: () => void
}

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

export type UseConfirmTotp = ActionState<SecondFactor, ActionError<'confirmTotp'>> & {
  readonly confirmTotp: Run<ConfirmTotpInput, SecondFactor, ActionError<'confirmTotp'>>
  readonly reset: () => void
}

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

export type UseRemoveSecondFactor = ActionState<SecondFactor, ActionError<'removeSecondFactor'>> & {
  readonly removeSecondFactor: RunPlain<SecondFactor, ActionError<'removeSecondFactor'>>
  readonly reset: () => void
}

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

export type UseUpdateSecondFactor = ActionState<SecondFactor, ActionError<'updateSecondFactor'>> & {
  readonly updateSecondFactor: Run<UpdateSecondFactorInput, SecondFactor, ActionError<'updateSecondFactor'>>
  readonly reset: () => void
}

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

export type UseForgetDevices = ActionState<void, ActionError<'forgetDevices'>> & {
  readonly forgetDevices: RunPlain<void, ActionError<'forgetDevices'>>
  readonly reset: () => void
}

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

export type UseSignInWithSecondFactor = ActionState<User, ActionError<'signInWithSecondFactor'>> & {
  readonly signInWithSecondFactor: Run<SignInWithSecondFactorInput, User, ActionError<'signInWithSecondFactor'>>
  readonly reset: () => void
}

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
