import { saveUser } from '../core/actions/saveUser.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { User } from '../core/User.ts'
import type { UserChanges } from '../core/UserChanges.ts'
import { useMutation } from './useMutation.ts'

export type UseSaveUser = MutationState<User> & {
  readonly saveUser: (input: UserChanges, callbacks?: Callbacks<User>) => Promise<User | undefined>
  readonly reset: () => void
}

/**
 * Saves changed fields of the user; the edit shows at once and is taken back if it is refused.
 *
 * @example
 * const { saveUser, status } = useSaveUser()
 * <button disabled={status === 'pending'} onClick={() => saveUser({ favouriteColour: 'blue' })}>Go</button>
 */
export function useSaveUser(): UseSaveUser {
  const { state, run, reset } = useMutation(saveUser)
  return { ...state, saveUser: run, reset }
}
