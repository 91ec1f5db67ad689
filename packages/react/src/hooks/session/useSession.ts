'use client'

import { useCallback, useSyncExternalStore } from 'react'
import type { InitializationState } from '../../core/client/Client.ts'
import type { Callbacks } from '../../core/client/runAction.ts'
import { getUser } from '../../core/session/getUser.ts'
import { type InitializeInput, initialize } from '../../core/setup/initialize.ts'
import type { SessionState } from '../../core/state/SessionState.ts'
import type { User } from '../../core/values/User.ts'
import { useClient } from '../client/useClient.ts'

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

/**
 * The present user, if one is signed in; a new object when, and only when, something in it changed.
 *
 * @example
 * const user = useUser()
 */
export function useUser(): User | undefined {
  const client = useClient()
  return useSyncExternalStore(
    client.session.subscribe,
    () => getUser(client),
    () => client.internal.rendered?.user,
  )
}

export type UseInitialization = InitializationState & {
  readonly initialize: (input?: InitializeInput, callbacks?: Callbacks) => Promise<void>
}

const idle: InitializationState = { status: 'idle' }

/**
 * The state of the initialization, and the function that starts it.
 *
 * @example
 * const { status, initialize } = useInitialization()
 * useEffect(() => void initialize({ appId: 'my-app', serverUrl: '/server' }), [initialize])
 */
export function useInitialization(): UseInitialization {
  const client = useClient()
  const state = useSyncExternalStore(client.initialization.subscribe, client.initialization.get, () => idle)
  const start = useCallback(
    (input?: InitializeInput, callbacks?: Callbacks) => initialize(client, input, callbacks),
    [client],
  )
  return { ...state, initialize: start }
}
