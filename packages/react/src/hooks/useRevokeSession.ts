import { type RevokeSessionInput, revokeSession } from '../core/actions/revokeSession.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useMutation } from './useMutation.ts'

export type UseRevokeSession = MutationState<void> & {
  readonly revokeSession: (input: RevokeSessionInput, callbacks?: Callbacks) => Promise<void>
  readonly reset: () => void
}

/**
 * Ends one of the user's sessions.
 *
 * @example
 * const { revokeSession, status } = useRevokeSession()
 * <button disabled={status === 'pending'} onClick={() => revokeSession({ objectId: session.objectId })}>Go</button>
 */
export function useRevokeSession(): UseRevokeSession {
  const { state, run, reset } = useMutation(revokeSession)
  return { ...state, revokeSession: run, reset }
}
