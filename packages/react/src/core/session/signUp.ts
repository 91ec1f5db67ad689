import { errorCodes } from '@countersign/protocol'
import type { Client, Connection, Credential } from '../client/Client.ts'
import { missingUser, requireConnection, requireStrings } from '../client/guards.ts'
import { type Callbacks, type Result, runOperation } from '../client/runAction.ts'
import type { ActionError } from '../errors/ActionError.ts'
import { toCountersignError, ValidationError } from '../errors/errors.ts'
import { sendRequest } from '../http/sendRequest.ts'
import { readRecord } from '../values/decode.ts'
import { encodeFields } from '../values/encode.ts'
import type { FieldValue } from '../values/FieldValue.ts'
import type { User } from '../values/User.ts'
import { createCredential } from './currentSession.ts'
import { request } from './request.ts'
import { type SignInAnswer, signIn } from './signIn.ts'

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
export function signUp<Given extends Callbacks<User, ActionError<'signUp'>> = Callbacks<User, ActionError<'signUp'>>>(
  client: Client,
  input: SignUpInput,
  callbacks: Given = {} as Given,
): Promise<Result<User, Given>> {
  return runOperation(client, callbacks, () => {
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

/** A sign-up's response names only new fields; the server may have added others, or opened no session. */
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
