import { logOut } from '../core/actions/logOut.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useCommand } from './useCommand.ts'

export type UseLogOut = MutationState<void> & {
  readonly logOut: (callbacks?: Callbacks) => Promise<void>
  readonly reset: () => void
}

/**
 * Signs the user out.
 *
 * @example
 * const { logOut, status } = useLogOut()
 * <button disabled={status === 'pending'} onClick={() => logOut()}>Go</button>
 */
export function useLogOut(): UseLogOut {
  const { state, run, reset } = useCommand(logOut)
  return { ...state, logOut: run, reset }
}
