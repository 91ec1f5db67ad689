import { useSyncExternalStore } from 'react'
import type { SessionState } from '../core/SessionState.ts'
import { useClient } from './useClient.ts'

/**
 * The state of the session; a change of it renders the component again.
 *
 * @example
 * const session = useSession()
 * if (session.status === 'authenticated') return <p>Hello {session.user.username}</p>
 */
export function useSession(): SessionState {
  const { session, internal } = useClient()
  return useSyncExternalStore(session.subscribe, session.get, () => internal.initialSession)
}
