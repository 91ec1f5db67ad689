import type { Client } from '../client/Client.ts'
import { requireConnection } from '../client/guards.ts'
import { type Callbacks, type Result, runOperation } from '../client/runAction.ts'
import type { ActionError } from '../errors/ActionError.ts'
import type { User } from '../values/User.ts'
import { loadProviderWindow } from './loadProviderWindow.ts'
import type { ProviderInput } from './ProviderInput.ts'
import { closeOnFailure, openPopup } from './popup.ts'
import type { ProviderReturn } from './providerWindow.ts'
import { signInBy } from './signIn.ts'

export type SignInWithProviderInput = ProviderInput & {
  /** Keeps an account that its owner deleted, while it is still there; refused as `accountDeletionPending` without. */
  readonly restoreAccount?: boolean
}

/**
 * Signs a user in with a provider such as Google; the account is made at the first time. Where an account has the same
 * verified address, it is refused as `signInToLink`: that account signs in first and adds the provider (`linkProvider`).
 *
 * @example
 * const user = await signInWithProvider(client, { provider: 'google' })
 */
export function signInWithProvider<
  Given extends Callbacks<User, ActionError<'signInWithProvider'>> = Callbacks<User, ActionError<'signInWithProvider'>>,
>(client: Client, input: SignInWithProviderInput, callbacks: Given = {} as Given): Promise<Result<User, Given>> {
  const popup = openPopup(input)
  return runOperation(client, callbacks, () => closeOnFailure(popup, askAndSignIn(client, input, popup, callbacks)))
}

async function askAndSignIn(
  client: Client,
  input: SignInWithProviderInput,
  popup: Window | undefined,
  { signal }: { readonly signal?: AbortSignal },
): Promise<User> {
  requireConnection(client)
  const { askProvider } = await loadProviderWindow()
  const response = await askProvider(client, 'signIn', input, popup, signal)
  const { restoreAccount } = input
  return signInBy(client, 'signInWithProvider', { ...response, ...(restoreAccount && { restoreAccount }) }, { signal })
}

/**
 * Returns a provider's response after a redirect, for the action that began it; `undefined` if the page was opened
 * otherwise. Closes a popup. Call it once, when the page starts.
 *
 * @example
 * const back = await takeProviderResponse()
 * if (back) await signInWithProvider(client, { response: back.response })
 */
export async function takeProviderResponse(): Promise<ProviderReturn | undefined> {
  if (!globalThis.location?.hash.startsWith('#signInWith=')) return undefined
  return (await loadProviderWindow()).takeProviderReturn()
}
