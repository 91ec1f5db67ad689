import type { CountersignError } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { requireConnection, requireString } from '../client/guards.ts'
import { type Callbacks, type Result, runOperation } from '../client/runAction.ts'
import type { ActionError } from '../errors/ActionError.ts'
import { askPasskey } from '../session/askPasskey.ts'
import { signInBy } from '../session/signIn.ts'
import type { User } from '../values/User.ts'
import { accountAction } from './accountAction.ts'

/** Data for the second step of a sign-in. */
export type SecondStep = {
  readonly ticket: string
  readonly totp: boolean
  readonly passkey: boolean
  /** True if the server requires a second factor and there is none yet: `startTotp` with the ticket creates it. */
  readonly setUp: boolean
}

/**
 * Returns the second factor that a refused sign-in needs, if any.
 *
 * @example
 * const step = findSecondStep(error)
 * if (step) await signInWithSecondFactor(client, { ticket: step.ticket, code: '123456' })
 */
export function findSecondStep({ reason, params }: CountersignError): SecondStep | undefined {
  const setUp = reason === 'secondFactorSetUpRequired'
  const ticket = params?.ticket
  if (!(setUp || reason === 'secondFactorRequired') || typeof ticket !== 'string') return undefined
  return { ticket, totp: params?.totp === true, passkey: params?.passkey === true, setUp }
}

/**
 * Second factor of the user's account.
 *
 * @example
 * const { totp } = await getSecondFactor(client)
 */
export const getSecondFactor = /*#__PURE__*/ accountAction('getSecondFactor')

/**
 * A new secret for an authenticator app. Nothing is asked for until `confirmTotp`. It needs a recent proof
 * (`reauthenticate`), or the ticket of a sign-in that was refused for want of a second factor.
 *
 * @example
 * const { uri } = await startTotp(client, {})
 * await confirmTotp(client, { code: '123456' })
 */
export const startTotp = /*#__PURE__*/ accountAction('startTotp')

/**
 * Turns the authenticator app on by the first code that it shows.
 *
 * @example
 * await confirmTotp(client, { code: '123456' })
 */
export const confirmTotp = /*#__PURE__*/ accountAction('confirmTotp')

/**
 * Asks for no second factor any more. It needs a recent proof (`reauthenticate`).
 *
 * @example
 * await removeSecondFactor(client)
 */
export const removeSecondFactor = /*#__PURE__*/ accountAction('removeSecondFactor')

/**
 * Has the account ask for a passkey as its second factor, or no longer. It needs a recent proof (`reauthenticate`).
 *
 * @example
 * await updateSecondFactor(client, { passkey: true })
 */
export const updateSecondFactor = /*#__PURE__*/ accountAction('updateSecondFactor')

/**
 * Forgets the devices that need no second factor: each of them is asked for it again.
 *
 * @example
 * await forgetDevices(client)
 */
export const forgetDevices = /*#__PURE__*/ accountAction('forgetDevices')

/** A code of the app or a recovery code; or `passkey`, and the browser offers one. */
export type SignInWithSecondFactorInput = {
  readonly ticket: string
  readonly rememberDevice?: boolean
} & ({ readonly code: string } | { readonly passkey: true })

/**
 * The second step of a sign-in.
 *
 * @example
 * const user = await signInWithSecondFactor(client, { ticket, code: '123456' })
 */
export function signInWithSecondFactor<
  Given extends Callbacks<User, ActionError<'signInWithSecondFactor'>> = Callbacks<
    User,
    ActionError<'signInWithSecondFactor'>
  >,
>(client: Client, input: SignInWithSecondFactorInput, callbacks: Given = {} as Given): Promise<Result<User, Given>> {
  return runOperation(client, callbacks, async () => {
    const { ticket, rememberDevice } = input
    requireString('ticket', ticket)
    requireConnection(client)
    const shown = 'code' in input ? { code: input.code } : await askPasskey(client, 'signIn', callbacks.signal)
    const asked = { ticket, ...shown, ...(rememberDevice && { rememberDevice }) }
    return signInBy(client, 'signInWithSecondFactor', asked, callbacks)
  })
}
