import { loadAccount, runAccountAction } from '../account/runAccountAction.ts'
import type { Client } from '../client/Client.ts'
import { requireConnection } from '../client/guards.ts'
import { type ActionOptions, type Callbacks, type Result, runOperation } from '../client/runAction.ts'
import type { ActionError } from '../errors/ActionError.ts'
import type { Identity } from '../values/records.ts'
import type { User } from '../values/User.ts'
import { signInBy } from './signIn.ts'

/** What the message has to say, in the names of Farcaster's own packages. */
export type FarcasterChallenge = {
  readonly nonce: string
  readonly domain: string
  readonly siweUri: string
  readonly expirationTime: string
  /** Where a page without a `sign` of its own asks the person's app, as the operator has set it. */
  readonly relay?: string
}

/** Has the person sign: by the SDK of mini apps, or by a channel of `@farcaster/auth-client`. */
export type FarcasterSign = (
  challenge: FarcasterChallenge & {
    /** Farcaster's packages let other keys than the custody address sign unless they are given this. */
    readonly acceptAuthAddress: false
  },
) => Promise<{ readonly message: string; readonly signature: string }>

export type FarcasterInput =
  | { readonly sign: FarcasterSign }
  | {
      readonly sign?: undefined
      /** By the relay that the operator has set: takes the address that opens the person's app, to be shown as a QR code and a link. */
      readonly onUrl: (url: string) => void
    }

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
    const proof = await (await loadAccount(client)).askFarcaster(client, 'signIn', input, signal)
    const { restoreAccount } = input
    return signInBy(client, 'signInWithFarcaster', { ...proof, ...(restoreAccount && { restoreAccount }) }, callbacks)
  })
}

/**
 * Adds a Farcaster id to the user's account. The server wants a recent proof for it (`reauthenticate`);
 * `unlinkIdentity` takes it off again.
 *
 * @example
 * await linkFarcaster(client, { sign: (challenge) => sdk.actions.signIn(challenge) })
 */
export function linkFarcaster(client: Client, input: FarcasterInput, options?: ActionOptions): Promise<Identity> {
  return runAccountAction(client, options, (account, signal) => account.linkFarcaster(client, input, signal))
}
