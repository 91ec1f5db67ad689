import type { Client } from '../client/Client.ts'
import { requireConnection } from '../client/guards.ts'
import { type Callbacks, type Result, runOperation } from '../client/runAction.ts'
import type { ActionError } from '../errors/ActionError.ts'
import { loadOnce } from '../platform/loadOnce.ts'
import type { User } from '../values/User.ts'
import type { FarcasterInput } from './FarcasterInput.ts'
import { signInBy } from './signIn.ts'

const loadFarcaster = /*#__PURE__*/ loadOnce(() => import('./askFarcaster.ts'))

export type SignInWithFarcasterInput = FarcasterInput & {
  /** Keeps an account that its owner deleted, while it is still there; refused as `accountDeletionPending` without. */
  readonly restoreAccount?: boolean
}

/**
 * Signs a user in with Farcaster; the account is made at the first time.
 *
 * @example
 * const user = await signInWithFarcaster(client, { sign: (challenge) => sdk.actions.signIn(challenge) })
 */
export function signInWithFarcaster<
  Given extends Callbacks<User, ActionError<'signInWithFarcaster'>> = Callbacks<
    User,
    ActionError<'signInWithFarcaster'>
  >,
>(client: Client, input: SignInWithFarcasterInput, callbacks: Given = {} as Given): Promise<Result<User, Given>> {
  return runOperation(client, callbacks, async () => {
    requireConnection(client)
    const { signal } = callbacks
    const { askFarcaster } = await loadFarcaster()
    const proof = await askFarcaster(client, 'signIn', input, signal)
    const { restoreAccount } = input
    return signInBy(client, 'signInWithFarcaster', { ...proof, ...(restoreAccount && { restoreAccount }) }, callbacks)
  })
}
