import { type SignInWithRecoveryCodeInput, signInWithRecoveryCode } from '../core/actions/signInWithRecoveryCode.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { User } from '../core/User.ts'
import { useMutation } from './useMutation.ts'

export type UseSignInWithRecoveryCode = MutationState<User> & {
  readonly signInWithRecoveryCode: (
    input: SignInWithRecoveryCodeInput,
    callbacks?: Callbacks<User>,
  ) => Promise<User | undefined>
  readonly reset: () => void
}

/**
 * Signs a user in by name and a recovery code.
 *
 * @example
 * const { signInWithRecoveryCode, status } = useSignInWithRecoveryCode()
 * <button disabled={status === 'pending'} onClick={() => signInWithRecoveryCode({ username: 'ada', code: 'k3m9-x0qa-7tzd-55wp' })}>Go</button>
 */
export function useSignInWithRecoveryCode(): UseSignInWithRecoveryCode {
  const { state, run, reset } = useMutation(signInWithRecoveryCode)
  return { ...state, signInWithRecoveryCode: run, reset }
}
