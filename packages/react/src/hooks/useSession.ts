import { useSyncExternalStore } from 'react'
import type { SessionState } from '../core/SessionState.ts'
import { useClient } from './useClient.ts'

const unknown: SessionState = { status: 'undefined' }

/**
 * The state of the session; a change of it renders the component again.
 *
 * @example
 * const session = useSession()
 * if (session.status === 'authenticated') return <p>Hello {session.user.username}</p>
 */
export function useSession(): SessionState {
  const { session } = useClient()
  return useSyncExternalStore(session.subscribe, session.get, () => unknown)
}
