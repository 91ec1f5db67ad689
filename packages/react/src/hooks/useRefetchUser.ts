import { refetchUser } from '../core/actions/refetchUser.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { User } from '../core/User.ts'
import { useCommand } from './useCommand.ts'

export type UseRefetchUser = MutationState<User> & {
  readonly refetchUser: (callbacks?: Callbacks<User>) => Promise<User | undefined>
  readonly reset: () => void
}

/**
 * Reads the user from the server again.
 *
 * @example
 * const { refetchUser, status } = useRefetchUser()
 * <button disabled={status === 'pending'} onClick={() => refetchUser()}>Go</button>
 */
export function useRefetchUser(): UseRefetchUser {
  const { state, run, reset } = useCommand(refetchUser)
  return { ...state, refetchUser: run, reset }
}
