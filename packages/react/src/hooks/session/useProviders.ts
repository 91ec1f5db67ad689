'use client'

import type { ProviderRecord } from '@countersign/protocol'
import { linkProvider, listProviders, restoreIdentity, unlinkIdentity } from '../../core/account/identities.ts'
import { defineSharedReading } from '../../core/readings/defineReading.ts'
import { signInWithProvider } from '../../core/session/providers.ts'
import { useClient } from '../client/useClient.ts'
import { type ActionHook, useAction } from '../client/useMutation.ts'
import { type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

const providersReading = /*#__PURE__*/ defineSharedReading(
  (_: undefined) => ({ listProviders: {} }),
  (client, _, options) => listProviders(client, options),
)

/**
 * The providers that people can sign in with here.
 *
 * @example
 * const providers = useProviders()
 * const { signInWithProvider } = useSignInWithProvider()
 * return providers.data?.map(({ name, label }) => <button key={name} onClick={() => signInWithProvider({ provider: name })}>{label}</button>)
 */
export function useProviders<Selected = readonly ProviderRecord[]>(
  options?: ReadOptions<readonly ProviderRecord[], Selected>,
): UseAsync<Selected> {
  return useReading(providersReading(useClient(), undefined), options)
}

export type UseSignInWithProvider = ActionHook<'signInWithProvider', typeof signInWithProvider>

/**
 * Signs a user in with a provider such as Google.
 *
 * @example
 * const { signInWithProvider, status } = useSignInWithProvider()
 * <button disabled={status === 'pending'} onClick={() => signInWithProvider({ provider: 'google' })}>Google</button>
 */
export function useSignInWithProvider(): UseSignInWithProvider {
  return useAction('signInWithProvider', signInWithProvider)
}

export type UseLinkProvider = ActionHook<'linkProvider', typeof linkProvider>

/**
 * Adds a provider to the user's account.
 *
 * @example
 * const { linkProvider, status } = useLinkProvider()
 * <button disabled={status === 'pending'} onClick={() => linkProvider({ provider: 'google' })}>Add Google</button>
 */
export function useLinkProvider(): UseLinkProvider {
  return useAction('linkProvider', linkProvider)
}

export type UseUnlinkIdentity = ActionHook<'unlinkIdentity', typeof unlinkIdentity>

/**
 * Takes a provider from the user's account; `useRestoreIdentity` undoes it for ten minutes.
 *
 * @example
 * const { unlinkIdentity, status } = useUnlinkIdentity()
 * <button disabled={status === 'pending'} onClick={() => unlinkIdentity({ provider: 'google' })}>Remove</button>
 */
export function useUnlinkIdentity(): UseUnlinkIdentity {
  return useAction('unlinkIdentity', unlinkIdentity)
}

export type UseRestoreIdentity = ActionHook<'restoreIdentity', typeof restoreIdentity>

/**
 * Gives a provider back that was removed in the last ten minutes.
 *
 * @example
 * const { restoreIdentity } = useRestoreIdentity()
 * <button onClick={() => restoreIdentity({ provider: 'google' })}>Undo</button>
 */
export function useRestoreIdentity(): UseRestoreIdentity {
  return useAction('restoreIdentity', restoreIdentity)
}
