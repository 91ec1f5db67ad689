import { type SignUpInput, signUp } from '../core/actions/signUp.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { User } from '../core/User.ts'
import { useMutation } from './useMutation.ts'

export type UseSignUp = MutationState<User> & {
  readonly signUp: (input: SignUpInput, callbacks?: Callbacks<User>) => Promise<User | undefined>
  readonly reset: () => void
}

/**
 * Makes an account and signs its user in.
 *
 * @example
 * const { signUp, status } = useSignUp()
 * <button disabled={status === 'pending'} onClick={() => signUp({ username: 'ada', password: 'correct horse' })}>Go</button>
 */
export function useSignUp(): UseSignUp {
  const { state, run, reset } = useMutation(signUp)
  return { ...state, signUp: run, reset }
}
