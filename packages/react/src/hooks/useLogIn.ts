import { type LogInInput, logIn } from '../core/actions/logIn.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { User } from '../core/User.ts'
import { useMutation } from './useMutation.ts'

export type UseLogIn = MutationState<User> & {
  readonly logIn: (input: LogInInput, callbacks?: Callbacks<User>) => Promise<User | undefined>
  readonly reset: () => void
}

/**
 * Signs a user in by name and password.
 *
 * @example
 * const { logIn, status } = useLogIn()
 * <button disabled={status === 'pending'} onClick={() => logIn({ username: 'ada', password: 'correct horse' })}>Go</button>
 */
export function useLogIn(): UseLogIn {
  const { state, run, reset } = useMutation(logIn)
  return { ...state, logIn: run, reset }
}
