import type { Client } from '../client/Client.ts'
import { requireConnection, requireString } from '../client/guards.ts'
import { type Callbacks, type Result, runOperation } from '../client/runAction.ts'
import type { ActionError } from '../errors/ActionError.ts'
import { ValidationError } from '../errors/errors.ts'
import type { User } from '../values/User.ts'
import { request } from './request.ts'
import { readSignIn, signIn } from './signIn.ts'

export type SignInWithPasswordInput = {
  /** The user's name or e-mail address. */
  username: string
  password: string
  /** True (default): `POST /login`. False: the `GET` form of it, with the password in the body all the same. */
  usePost?: boolean
  /** Keeps an account that its owner deleted, while it is still there; refused as `accountDeletionPending` without. */
  restoreAccount?: boolean
}

/**
 * Signs a user in by name, or e-mail address, and password.
 *
 * @example
 * const user = await signInWithPassword(client, { username: 'ada', password: 'correct horse' })
 */
export function signInWithPassword<
  Given extends Callbacks<User, ActionError<'signInWithPassword'>> = Callbacks<User, ActionError<'signInWithPassword'>>,
>(client: Client, input: SignInWithPasswordInput, callbacks: Given = {} as Given): Promise<Result<User, Given>> {
  return runOperation(client, callbacks, () => {
    const { username, password, usePost = true, restoreAccount } = input
    requireString('username', username)
    requireString('password', password)
    if (username === '') throw new ValidationError('Cannot log in user with an empty username.')
    if (password === '') throw new ValidationError('Cannot log in user with an empty password.')
    const connection = requireConnection(client)
    const asked = { username, password, ...(restoreAccount && { restoreAccount }) }
    return signIn(client, connection, async () => {
      return readSignIn(connection, await request(client, usePost ? 'logIn' : 'logInByGet', asked, callbacks), 'login')
    })
  })
}
