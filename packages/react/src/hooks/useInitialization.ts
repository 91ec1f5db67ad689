import { useCallback, useSyncExternalStore } from 'react'
import { type InitializeInput, initialize } from '../core/actions/initialize.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { InitializationState } from '../core/InitializationState.ts'
import { useClient } from './useClient.ts'

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
