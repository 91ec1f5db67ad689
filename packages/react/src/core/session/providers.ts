import type { ProviderRecord, ProviderResponse } from '@countersign/protocol'
import { runAccountAction } from '../account/runAccountAction.ts'
import type { Client } from '../client/Client.ts'
import { requireConnection } from '../client/guards.ts'
import { type ActionOptions, type Callbacks, type Result, runOperation } from '../client/runAction.ts'
import type { ActionError } from '../errors/ActionError.ts'
import { loadProviderWindow } from '../platform/loadParts.ts'
import type { Identity, UndoDeadline } from '../values/records.ts'
import type { User } from '../values/User.ts'
import type { ProviderReturn } from './providerWindow.ts'
import { signInBy } from './signIn.ts'

/**
 * The providers of OpenID Connect and OAuth 2 that the server has set up, in the order of its configuration.
 *
 * @example
 * const labels = (await listProviders(client)).map(({ label }) => label)
 */
export function listProviders(client: Client, options?: ActionOptions): Promise<readonly ProviderRecord[]> {
  return runAccountAction(client, options, (account, signal) => account.listProviders(client, signal))
}

/** Which provider to go to, and how; or what one sent back to this page (`takeProviderResponse`). */
export type ProviderInput =
  | {
      /** Its name in the configuration, such as `google`. */
      readonly provider: string
      /** A popup by default, called by a click; `redirect` leaves the page and comes back to `returnTo`. */
      readonly display?: 'popup' | 'redirect'
      /** The path to come back to; where the page is by default. */
      readonly returnTo?: string
    }
  | { readonly response: ProviderResponse }

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
 * Adds a provider to the user's account. The server wants a recent proof for it (`reauthenticate`).
 *
 * @example
 * await linkProvider(client, { provider: 'google' })
 */
export function linkProvider(client: Client, input: ProviderInput, options?: ActionOptions): Promise<Identity> {
  const popup = openPopup(input)
  return closeOnFailure(
    popup,
    runAccountAction(client, options, (account, signal) => account.linkProvider(client, input, popup, signal)),
  )
}

export type IdentityInput = { readonly provider: string }

/**
 * Takes a provider from the user's account. The last sign-in method stays; it needs a recent proof (`reauthenticate`).
 *
 * @example
 * const { undoUntil } = await unlinkIdentity(client, { provider: 'google' })
 */
export function unlinkIdentity(client: Client, input: IdentityInput, options?: ActionOptions): Promise<UndoDeadline> {
  return runAccountAction(client, options, (account, signal) => account.unlinkIdentity(client, input, signal))
}

/**
 * Gives a provider back that was removed in the last ten minutes.
 *
 * @example
 * await restoreIdentity(client, { provider: 'google' })
 */
export function restoreIdentity(client: Client, input: IdentityInput, options?: ActionOptions): Promise<Identity> {
  return runAccountAction(client, options, (account, signal) => account.restoreIdentity(client, input, signal))
}

/**
 * What a provider sent back to this page after a redirect, to be given to the action that began it; `undefined` where
 * the page was opened otherwise. A popup closes by it. To be called once, when the page starts.
 *
 * @example
 * const back = await takeProviderResponse()
 * if (back) await signInWithProvider(client, { response: back.response })
 */
export async function takeProviderResponse(): Promise<ProviderReturn | undefined> {
  if (!globalThis.location?.hash.startsWith('#signInWith=')) return undefined
  return (await loadProviderWindow()).takeProviderReturn()
}

/**
 * An empty window, where the input wants one and the browser opens it. To be called at once: browsers open one only
 * while a click is handled.
 */
export function openPopup(input: object): Window | undefined {
  if (!('provider' in input) || ('display' in input && input.display === 'redirect')) return undefined
  return globalThis.open?.('', '_blank', 'popup,width=520,height=680') ?? undefined
}

/** Leaves no empty window behind. */
export function closeOnFailure<Data>(popup: Window | undefined, asked: Promise<Data>): Promise<Data> {
  return asked.catch((error) => {
    popup?.close()
    throw error
  })
}
