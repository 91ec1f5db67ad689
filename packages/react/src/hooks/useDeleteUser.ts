import { deleteUser } from '../core/actions/deleteUser.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useCommand } from './useCommand.ts'

export type UseDeleteUser = MutationState<void> & {
  readonly deleteUser: (callbacks?: Callbacks) => Promise<void>
  readonly reset: () => void
}

/**
 * Deletes the user's account and signs out.
 *
 * @example
 * const { deleteUser, status } = useDeleteUser()
 * <button disabled={status === 'pending'} onClick={() => deleteUser()}>Go</button>
 */
export function useDeleteUser(): UseDeleteUser {
  const { state, run, reset } = useCommand(deleteUser)
  return { ...state, deleteUser: run, reset }
}
