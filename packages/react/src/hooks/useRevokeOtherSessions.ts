import { revokeOtherSessions } from '../core/actions/revokeOtherSessions.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useCommand } from './useCommand.ts'

export type UseRevokeOtherSessions = MutationState<number> & {
  readonly revokeOtherSessions: (callbacks?: Callbacks<number>) => Promise<number | undefined>
  readonly reset: () => void
}

/**
 * Ends all sessions of the user but this one; the data is how many.
 *
 * @example
 * const { revokeOtherSessions, status } = useRevokeOtherSessions()
 * <button disabled={status === 'pending'} onClick={() => revokeOtherSessions()}>Go</button>
 */
export function useRevokeOtherSessions(): UseRevokeOtherSessions {
  const { state, run, reset } = useCommand(revokeOtherSessions)
  return { ...state, revokeOtherSessions: run, reset }
}
