import type { Client } from '../client/Client.ts'
import type { ActionOptions } from '../client/runAction.ts'
import type { ProviderInput } from '../session/ProviderInput.ts'
import { closeOnFailure, openPopup } from '../session/popup.ts'
import type { Identity } from '../values/records.ts'
import { accountAction, runAccountAction } from './accountAction.ts'

/**
 * The providers of OpenID Connect and OAuth 2 that the server has set up, in the order of its configuration.
 *
 * @example
 * const labels = (await listProviders(client)).map(({ label }) => label)
 */
export const listProviders = /*#__PURE__*/ accountAction('listProviders')

/**
 * Adds a provider to the user's account. The server wants a recent proof for it (`reauthenticate`).
 *
 * @example
 * await linkProvider(client, { provider: 'google' })
 */
export function linkProvider(client: Client, input: ProviderInput, options?: ActionOptions): Promise<Identity> {
  const popup = openPopup(input)
  return closeOnFailure(
    popup,
    runAccountAction(client, (account) => account.linkByProvider(client, input, popup, options)),
  )
}

/**
 * Adds a Farcaster id to the user's account. The server wants a recent proof for it (`reauthenticate`);
 * `unlinkIdentity` takes it off again.
 *
 * @example
 * await linkFarcaster(client, { sign: (challenge) => sdk.actions.signIn(challenge) })
 */
export const linkFarcaster = /*#__PURE__*/ accountAction('linkFarcaster')

/**
 * Takes a provider from the user's account. The last sign-in method stays; it needs a recent proof (`reauthenticate`).
 *
 * @example
 * const { undoUntil } = await unlinkIdentity(client, { provider: 'google' })
 */
export const unlinkIdentity = /*#__PURE__*/ accountAction('unlinkIdentity')

/**
 * Gives a provider back that was removed in the last ten minutes.
 *
 * @example
 * await restoreIdentity(client, { provider: 'google' })
 */
export const restoreIdentity = /*#__PURE__*/ accountAction('restoreIdentity')
