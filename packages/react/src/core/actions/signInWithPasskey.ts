import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { loadPasskeys } from '../passkey/loadPasskeys.ts'
import { requirePasskeys } from '../passkey/requirePasskeys.ts'
import { request } from '../request.ts'
import { requireConnection } from '../requireConnection.ts'
import { runAction } from '../runAction.ts'
import { readSignIn } from '../session/readSignIn.ts'
import { signIn } from '../session/signIn.ts'
import type { User } from '../User.ts'

export type PasskeySignIn = Callbacks<User> & {
  /** Keeps an account that its owner deleted, while it is still there; refused as `accountDeletionPending` without. */
  readonly restoreAccount?: boolean
}

/**
 * Signs a user in by a passkey that the browser offers; no user name is asked. The session stays as it is until a
 * passkey was chosen, so that whoever cancels has lost nothing.
 *
 * @example
 * const user = await signInWithPasskey(client)
 */
export function signInWithPasskey(client: Client, callbacks: PasskeySignIn = {}): Promise<User | undefined> {
  return runAction(client, callbacks, async () => {
    const connection = requireConnection(client)
    requirePasskeys()
    const [{ options }, { getPasskey }] = await Promise.all([
      request(client, 'createPasskeyChallenge', { purpose: 'signIn' }, callbacks),
      loadPasskeys(),
    ])
    const { restoreAccount } = callbacks
    const asked = { credential: await getPasskey(options, callbacks.signal), ...(restoreAccount && { restoreAccount }) }
    return signIn(client, connection, async () => {
      return readSignIn(connection, await request(client, 'signInWithPasskey', asked, callbacks))
    })
  })
}
