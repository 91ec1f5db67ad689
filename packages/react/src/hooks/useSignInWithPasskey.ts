import { type PasskeySignIn, signInWithPasskey } from '../core/actions/signInWithPasskey.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { User } from '../core/User.ts'
import { useCommand } from './useCommand.ts'

export type UseSignInWithPasskey = MutationState<User> & {
  readonly signInWithPasskey: (callbacks?: PasskeySignIn) => Promise<User | undefined>
  readonly reset: () => void
}

/**
 * Signs a user in by passkey, without a user name.
 *
 * @example
 * const { signInWithPasskey, status } = useSignInWithPasskey()
 * <button disabled={status === 'pending'} onClick={() => signInWithPasskey()}>Go</button>
 */
export function useSignInWithPasskey(): UseSignInWithPasskey {
  const { state, run, reset } = useCommand(signInWithPasskey)
  return { ...state, signInWithPasskey: run, reset }
}
