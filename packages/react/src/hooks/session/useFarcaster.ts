'use client'

import { linkFarcaster } from '../../core/account/identities.ts'
import type { ActionError } from '../../core/errors/ActionError.ts'
import type { ActionState, Run } from '../../core/readings/createMutation.ts'
import type { FarcasterInput } from '../../core/session/FarcasterInput.ts'
import { type SignInWithFarcasterInput, signInWithFarcaster } from '../../core/session/farcaster.ts'
import type { Identity } from '../../core/values/records.ts'
import type { User } from '../../core/values/User.ts'
import { useAction } from '../client/useMutation.ts'

export type UseSignInWithFarcaster = ActionState<User, ActionError<'signInWithFarcaster'>> & {
  readonly signInWithFarcaster: Run<SignInWithFarcasterInput, User, ActionError<'signInWithFarcaster'>>
  readonly reset: () => void
}

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

export type UseLinkFarcaster = ActionState<Identity, ActionError<'linkFarcaster'>> & {
  readonly linkFarcaster: Run<FarcasterInput, Identity, ActionError<'linkFarcaster'>>
  readonly reset: () => void
}

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
