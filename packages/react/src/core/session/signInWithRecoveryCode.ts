import type { Client } from '../client/Client.ts'
import { requireString } from '../client/guards.ts'
import { type Callbacks, type Result, runOperation } from '../client/runAction.ts'
import type { ActionError } from '../errors/ActionError.ts'
import { ValidationError } from '../errors/errors.ts'
import type { User } from '../values/User.ts'
import { signInBy } from './signIn.ts'

export type SignInWithRecoveryCodeInput = {
  /** The user's name or e-mail address. */
  username: string
  code: string
  /** Keeps an account that its owner deleted, while it is still there; refused as `accountDeletionPending` without. */
  restoreAccount?: boolean
}

/**
 * Signs a user in by name and one of the recovery codes, which is spent by it.
 *
 * @example
 * const user = await signInWithRecoveryCode(client, { username: 'ada', code: 'k3m9-x0qa-7tzd-55wp' })
 */
export function signInWithRecoveryCode<
  Given extends Callbacks<User, ActionError<'signInWithRecoveryCode'>> = Callbacks<
    User,
    ActionError<'signInWithRecoveryCode'>
  >,
>(client: Client, input: SignInWithRecoveryCodeInput, callbacks: Given = {} as Given): Promise<Result<User, Given>> {
  return runOperation(client, callbacks, () => {
    const { username, code, restoreAccount } = input
    requireString('username', username)
    requireString('code', code)
    if (username === '') throw new ValidationError('Cannot sign in user with an empty username.')
    if (code === '') throw new ValidationError('Cannot sign in user with an empty recovery code.')
    const asked = { username, code, ...(restoreAccount && { restoreAccount }) }
    return signInBy(client, 'signInWithRecoveryCode', asked, callbacks)
  })
}
