import type { Client } from '../client/Client.ts'
import { requireConnection } from '../client/guards.ts'
import { type Callbacks, type Result, runOperation } from '../client/runAction.ts'
import type { ActionError } from '../errors/ActionError.ts'
import type { User } from '../values/User.ts'
import { askPasskey } from './askPasskey.ts'
import { signInBy } from './signIn.ts'

export type PasskeySignIn = Callbacks<User, ActionError<'signInWithPasskey'>> & {
  /** Keeps an account that its owner deleted, while it is still there; refused as `accountDeletionPending` without. */
  readonly restoreAccount?: boolean
  /**
   * Offers passkeys in the page's field with `autocomplete="username webauthn"` instead of a prompt, if supported
   * (`passkeyUnsupported` otherwise). Waits until one is chosen, or until passkeys are requested in another way.
   */
  readonly autofill?: boolean
}

/**
 * Signs a user in by a passkey that the browser offers; no user name is asked. The session stays as it is until a
 * passkey was chosen, so that cancelling changes nothing.
 *
 * @example
 * const user = await signInWithPasskey(client)
 */
export function signInWithPasskey<Given extends PasskeySignIn = PasskeySignIn>(
  client: Client,
  callbacks: Given = {} as Given,
): Promise<Result<User, Given>> {
  return runOperation(client, callbacks, async () => {
    requireConnection(client)
    const { restoreAccount, autofill, signal } = callbacks
    const shown = await askPasskey(client, 'signIn', signal, autofill)
    return signInBy(client, 'signInWithPasskey', { ...shown, ...(restoreAccount && { restoreAccount }) }, callbacks)
  })
}
