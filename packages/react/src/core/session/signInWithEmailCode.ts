import type { Client } from '../client/Client.ts'
import { requireString, requireUser } from '../client/guards.ts'
import { type ActionOptions, type Callbacks, type Result, runAction, runOperation } from '../client/runAction.ts'
import type { ActionError } from '../errors/ActionError.ts'
import { ValidationError } from '../errors/errors.ts'
import { invalidateReadings } from '../readings/readerOf.ts'
import { toDated } from '../values/decode.ts'
import type { User } from '../values/User.ts'
import { request } from './request.ts'
import { signInBy } from './signIn.ts'

/** `reauthenticate`: to the address of the signed-in user, to be given to `reauthenticate`. */
export type RequestEmailCodeInput = { readonly email: string } | { readonly purpose: 'reauthenticate' }

/** `handle` goes with the code that the person types, in this browser. */
export type RequestedEmailCode = { readonly handle: string; readonly expiresAt: Date }

/**
 * Requests a sign-in code by mail. The response is the same whether or not the address has an account.
 *
 * @example
 * const { handle } = await requestEmailCode(client, { email: 'ada@example.org' })
 * const user = await signInWithEmailCode(client, { handle, code: '123456' })
 */
export function requestEmailCode(
  client: Client,
  input: RequestEmailCodeInput,
  options?: ActionOptions,
): Promise<RequestedEmailCode> {
  return runAction(client, async () => {
    if ('email' in input) requireString('email', input.email)
    else requireUser(client, 'confirming')
    const answer = await request(client, 'requestEmailCode', input, options)
    invalidateReadings(client, 'listOutbox')
    return toDated(answer) as RequestedEmailCode
  })
}

export type SignInWithEmailCodeInput = {
  /** Handle from `requestEmailCode`. */
  handle: string
  code: string
  /** Keeps an account that its owner deleted, while it is still there; refused as `accountDeletionPending` without. */
  restoreAccount?: boolean
  /** Creates a new account with the address if mail alone does not open the existing one (`mailNotEnough`). */
  newAccount?: boolean
}

/**
 * Signs a user in by a code that was mailed. Where the server makes accounts by code, the first sign-in makes one.
 *
 * @example
 * const user = await signInWithEmailCode(client, { handle, code: '123456' })
 */
export function signInWithEmailCode<
  Given extends Callbacks<User, ActionError<'signInWithEmailCode'>> = Callbacks<
    User,
    ActionError<'signInWithEmailCode'>
  >,
>(client: Client, input: SignInWithEmailCodeInput, callbacks: Given = {} as Given): Promise<Result<User, Given>> {
  return runOperation(client, callbacks, () => {
    const { handle, code, restoreAccount, newAccount } = input
    requireString('handle', handle)
    requireString('code', code)
    if (code.trim() === '') throw new ValidationError('Cannot sign in user with an empty code.')
    const asked = { handle, code, ...(restoreAccount && { restoreAccount }), ...(newAccount && { newAccount }) }
    return signInBy(client, 'signInWithEmailCode', asked, callbacks)
  })
}

export type SignInWithEmailLinkInput = {
  /** From the address that the mailed link leads to. */
  token: string
  restoreAccount?: boolean
  newAccount?: boolean
}

/**
 * Signs a user in by the link of the same mail, in the browser that asked for it.
 *
 * @example
 * const user = await signInWithEmailLink(client, { token: new URLSearchParams(location.search).get('token') ?? '' })
 */
export function signInWithEmailLink<
  Given extends Callbacks<User, ActionError<'signInWithEmailLink'>> = Callbacks<
    User,
    ActionError<'signInWithEmailLink'>
  >,
>(client: Client, input: SignInWithEmailLinkInput, callbacks: Given = {} as Given): Promise<Result<User, Given>> {
  return runOperation(client, callbacks, () => {
    const { token, restoreAccount, newAccount } = input
    requireString('token', token)
    const asked = { token, ...(restoreAccount && { restoreAccount }), ...(newAccount && { newAccount }) }
    return signInBy(client, 'signInWithEmailLink', asked, callbacks)
  })
}
