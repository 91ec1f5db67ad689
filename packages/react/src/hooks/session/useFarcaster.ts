'use client'

import { linkFarcaster } from '../../core/account/identities.ts'
import { signInWithFarcaster } from '../../core/session/farcaster.ts'
import { type ActionHook, useAction } from '../client/useMutation.ts'

export type UseSignInWithFarcaster = ActionHook<'signInWithFarcaster', typeof signInWithFarcaster>

/**
 * Signs a user in with Farcaster.
 *
 * @example
 * const { signInWithFarcaster, status } = useSignInWithFarcaster()
 * const [url, setUrl] = useState<string>()
 * <button disabled={status === 'pending'} onClick={() => signInWithFarcaster({ onUrl: setUrl })}>Farcaster</button>
 * {url && <a href={url}>Open Farcaster</a>}
 */
export function useSignInWithFarcaster(): UseSignInWithFarcaster {
  return useAction('signInWithFarcaster', signInWithFarcaster)
}

export type UseLinkFarcaster = ActionHook<'linkFarcaster', typeof linkFarcaster>

/**
 * Adds a Farcaster id to the user's account.
 *
 * @example
 * const { linkFarcaster, status } = useLinkFarcaster()
 * const [url, setUrl] = useState<string>()
 * <button disabled={status === 'pending'} onClick={() => linkFarcaster({ onUrl: setUrl })}>Add Farcaster</button>
 * {url && <a href={url}>Open Farcaster</a>}
 */
export function useLinkFarcaster(): UseLinkFarcaster {
  return useAction('linkFarcaster', linkFarcaster)
}
