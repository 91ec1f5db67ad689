import type { CountersignError } from '@countersign/protocol'
import type { Client } from '../Client.ts'
import type { Connection } from '../Connection.ts'
import { toCountersignError } from '../errors/toCountersignError.ts'
import type { User } from '../User.ts'
import type { Prompt } from '../wallet/Prompt.ts'
import type { UserFields } from '../wire/readRecord.ts'
import { toSnapshot } from '../wire/toSnapshot.ts'
import type { Credential, CurrentSession } from './CurrentSession.ts'
import { dropSession } from './dropSession.ts'
import { moveSession } from './moveSession.ts'
import { openSession } from './openSession.ts'
import { removeStoredSession } from './storedSession.ts'

/** An account without a credential is one that may not be used yet, such as before its e-mail address is verified. */
export type SignInAnswer = { readonly record: UserFields; readonly credential: Credential | undefined }

/**
 * The way of every sign-in through the states: `authenticating`, then `authenticated`, or `error` with no user. A
 * former session ends either way, so that a reload shows what was shown before it; only after a failure that
 * `isPassing`, and is tried again, everything is as it was.
 */
export function signIn(
  client: Client,
  connection: Connection,
  ask: () => Promise<SignInAnswer>,
  prompt?: Prompt,
  isPassing: (error: CountersignError) => boolean = () => false,
): Promise<User> {
  // A wallet that nobody answers would hold this way in up for ever.
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
