import type { CountersignError, EndpointTypes } from '@countersign/protocol'
import type { Client, Connection, Credential, CurrentSession, Prompt } from '../client/Client.ts'
import { missingUser, requireConnection } from '../client/guards.ts'
import { toCountersignError } from '../errors/errors.ts'
import { sendRequest } from '../http/sendRequest.ts'
import { readRecord, toSnapshot, type UserFields } from '../values/decode.ts'
import type { User } from '../values/User.ts'
import { createCredential, findStoredSession, removeStoredSession, showUser, storeSession } from './currentSession.ts'
import { request } from './request.ts'
import { moveSession } from './transition.ts'

/** Without a credential the account may not be used yet, such as before its email address is verified. */
export type SignInAnswer = { readonly record: UserFields; readonly credential: Credential | undefined }

/**
 * States of every sign-in: `authenticating`, then `authenticated`, or `error` without a user. A former session ends
 * either way, so that a reload shows the same state; only after a failure that `isPassing`, and is retried, everything
 * stays unchanged.
 */
export function signIn(
  client: Client,
  connection: Connection,
  ask: () => Promise<SignInAnswer>,
  prompt?: Prompt,
  isPassing: (error: CountersignError) => boolean = () => false,
): Promise<User> {
  // An open wallet prompt would block this sign-in forever.
  if (client.internal.prompt !== prompt) client.internal.prompt?.cancel()
  return client.internal.queue.run(async () => {
    moveSession(client, { type: 'signInStarted' })
    const former = client.internal.current
    try {
      const { record, credential } = await ask()
      if (!credential) {
        giveUp(client, connection, former)
        moveSession(client, { type: 'signedOut' })
        return toSnapshot<User>(record)
      }
      const user = openSession(client, connection, credential, record)
      // The server itself replaces a session of the same user in the same browser, and one that is in the cookie.
      if (former?.credential.token && former.record.objectId !== record.objectId) {
        dropSession(client, connection, former.credential)
      }
      return user
    } catch (cause) {
      const error = toCountersignError(cause)
      const { current } = client.internal
      if (current && isPassing(error)) moveSession(client, { type: 'signedIn', user: current.user })
      else {
        giveUp(client, connection, former)
        moveSession(client, { type: 'signInFailed', error })
      }
      throw error
    }
  })
}

function giveUp(client: Client, connection: Connection, former: CurrentSession | undefined): void {
  client.internal.current = undefined
  if (!former) return
  removeStoredSession(connection, former.credential)
  dropSession(client, connection, former.credential)
}

/** Ends a discarded session on the server, if it can be reached. Waits for nothing. */
function dropSession(client: Client, connection: Connection, credential: Credential): void {
  const { queue, options } = client.internal
  // In the queue: where the session is in a cookie, a sign-in that overtook this would be signed out by it.
  void queue.run(async () => {
    if (connection.transport === 'cookie' && findStoredSession(connection)) return
    await sendRequest(options, connection, 'logOut', {}, { credential, attemptLimit: 1 }).catch(() => undefined)
  })
}

/** Makes a session that was just opened the current one, here and for the other tabs. */
function openSession(client: Client, connection: Connection, credential: Credential, record: UserFields): User {
  const current = showUser(client.internal.current, { credential, record, edits: [] })
  client.internal.current = current
  client.internal.options.invitation = undefined
  storeSession(connection, { credential, user: record })
  moveSession(client, { type: 'signedIn', user: current.user })
  return current.user
}

/** User and session of a response that must have both. */
export function readSignIn(
  connection: Connection,
  answer: { readonly sessionToken?: string },
  action: Parameters<typeof missingUser>[0] = 'sign-in',
): SignInAnswer {
  const record = readRecord(answer)
  const credential = createCredential(connection, answer.sessionToken)
  if (!record || !credential) throw missingUser(action)
  return { record, credential }
}

/** Signs in by an endpoint that returns the user with a session. */
export function signInBy<Name extends SigningEndpoint>(
  client: Client,
  name: Name,
  input: EndpointTypes[Name]['input'],
  { signal }: { readonly signal?: AbortSignal },
): Promise<User> {
  const connection = requireConnection(client)
  return signIn(client, connection, async () => {
    return readSignIn(connection, await request(client, name, input, { signal }))
  })
}

type SigningEndpoint =
  | 'signInWithEmailCode'
  | 'signInWithEmailLink'
  | 'signInWithFarcaster'
  | 'signInWithPasskey'
  | 'signInWithProvider'
  | 'signInWithRecoveryCode'
  | 'signInWithSecondFactor'
