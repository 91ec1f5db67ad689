import { errorCodes } from '@countersign/protocol'
import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { Connection } from '../Connection.ts'
import { encodeFields } from '../encodeFields.ts'
import { toCountersignError } from '../errors/toCountersignError.ts'
import { ValidationError } from '../errors/ValidationError.ts'
import { missingUser } from '../missingUser.ts'
import { request } from '../request.ts'
import { requireConnection } from '../requireConnection.ts'
import { requireStrings } from '../requireStrings.ts'
import { runAction } from '../runAction.ts'
import { sendRequest } from '../sendRequest.ts'
import type { Credential } from '../session/CurrentSession.ts'
import { createCredential } from '../session/createCredential.ts'
import { type SignInAnswer, signIn } from '../session/signIn.ts'
import type { FieldValue, User } from '../User.ts'
import { readRecord } from '../wire/readRecord.ts'

export type SignUpInput = {
  username: string
  password: string
  email?: string
  [field: string]: FieldValue | undefined
}

/**
 * Makes an account and signs its user in. Further fields are kept on the user.
 *
 * @example
 * const user = await signUp(client, { username: 'ada', password: 'correct horse', favouriteColour: 'green' })
 */
export function signUp(client: Client, input: SignUpInput, callbacks: Callbacks<User> = {}): Promise<User | undefined> {
  return runAction(client, callbacks, () => {
    requireStrings(input)
    if (!input.username) throw new ValidationError('Cannot sign up user with an empty username.')
    if (!input.password) throw new ValidationError('Cannot sign up user with an empty password.')
    const fields = { ...encodeFields(input), username: input.username, password: input.password }
    const connection = requireConnection(client)
    return signIn(client, connection, async () => {
      const answer = await request(client, 'signUp', fields, callbacks)
      const known = readRecord({ ...fields, updatedAt: answer.createdAt, ...answer })
      if (!known) throw missingUser('sign-up')
      const credential = createCredential(connection, answer.sessionToken)
      if (!credential) return { record: known, credential }
      return readBack(client, connection, { record: known, credential }, callbacks.signal)
    })
  })
}

/** The sign-up's answer names only what is new; the server may have added to the record, or opened no session. */
async function readBack(
  client: Client,
  connection: Connection,
  known: SignInAnswer & { credential: Credential },
  signal: AbortSignal | undefined,
): Promise<SignInAnswer> {
  const { credential } = known
  try {
    const answer = await sendRequest(client.internal.options, connection, 'getCurrentUser', {}, { credential, signal })
    return { record: readRecord(answer) ?? known.record, credential }
  } catch (cause) {
    const isRefused = toCountersignError(cause).code === errorCodes.InvalidSessionToken
    return isRefused ? { record: known.record, credential: undefined } : known
  }
}
