import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { ValidationError } from '../errors/ValidationError.ts'
import { request } from '../request.ts'
import { requireConnection } from '../requireConnection.ts'
import { requireString } from '../requireString.ts'
import { runAction } from '../runAction.ts'
import { readSignIn } from '../session/readSignIn.ts'
import { signIn } from '../session/signIn.ts'
import type { User } from '../User.ts'

export type LogInInput = {
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
 * const user = await logIn(client, { username: 'ada', password: 'correct horse' })
 */
export function logIn(client: Client, input: LogInInput, callbacks: Callbacks<User> = {}): Promise<User | undefined> {
  return runAction(client, callbacks, () => {
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
