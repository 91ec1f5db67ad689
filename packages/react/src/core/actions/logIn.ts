import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { ValidationError } from '../errors/ValidationError.ts'
import { missingUser } from '../missingUser.ts'
import { request } from '../request.ts'
import { requireConnection } from '../requireConnection.ts'
import { requireString } from '../requireString.ts'
import { runAction } from '../runAction.ts'
import { createCredential } from '../session/createCredential.ts'
import { signIn } from '../session/signIn.ts'
import type { User } from '../User.ts'
import { readRecord } from '../wire/readRecord.ts'

export type LogInInput = {
  /** The user's name or e-mail address. */
  username: string
  password: string
  /** True (default): `POST /login`. False: the `GET` form of it, with the password in the body all the same. */
  usePost?: boolean
}

/**
 * Signs a user in by name, or e-mail address, and password.
 *
 * @example
 * const user = await logIn(client, { username: 'ada', password: 'correct horse' })
 */
export function logIn(client: Client, input: LogInInput, callbacks: Callbacks<User> = {}): Promise<User | undefined> {
  return runAction(client, callbacks, () => {
    const { username, password, usePost = true } = input
    requireString('username', username)
    requireString('password', password)
    if (username === '') throw new ValidationError('Cannot log in user with an empty username.')
    if (password === '') throw new ValidationError('Cannot log in user with an empty password.')
    const connection = requireConnection(client)
    return signIn(client, connection, async () => {
      const answer = await request(client, usePost ? 'logIn' : 'logInByGet', { username, password }, callbacks)
      const record = readRecord(answer)
      const credential = createCredential(connection, answer.sessionToken)
      if (!record || !credential) throw missingUser('login')
      return { record, credential }
    })
  })
}
