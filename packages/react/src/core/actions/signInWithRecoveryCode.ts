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
export function signInWithRecoveryCode(
  client: Client,
  input: SignInWithRecoveryCodeInput,
  callbacks: Callbacks<User> = {},
): Promise<User | undefined> {
  return runAction(client, callbacks, () => {
    const { username, code, restoreAccount } = input
    requireString('username', username)
    requireString('code', code)
    if (username === '') throw new ValidationError('Cannot sign in user with an empty username.')
    if (code === '') throw new ValidationError('Cannot sign in user with an empty recovery code.')
    const connection = requireConnection(client)
    const asked = { username, code, ...(restoreAccount && { restoreAccount }) }
    return signIn(client, connection, async () => {
      return readSignIn(connection, await request(client, 'signInWithRecoveryCode', asked, callbacks))
    })
  })
}
