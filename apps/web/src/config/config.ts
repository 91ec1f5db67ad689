import type { RuntimeConfig } from '@countersign/protocol'
import { useSyncExternalStore } from 'react'

type ConfigState =
  | { status: 'pending' }
  | { status: 'ready'; config: RuntimeConfig }
  | { status: 'error'; reason: string }

const listeners = new Set<() => void>()
let state: ConfigState = { status: 'pending' }

/** The server's run-time configuration as a snapshot with a subscription. */
export const configStore = {
  get: () => state,
  set(next: ConfigState) {
    state = next
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

export function useConfigState() {
  return useSyncExternalStore(configStore.subscribe, configStore.get)
}

/** The run-time configuration, for everything that is drawn after the start has succeeded. */
export function useConfig(): RuntimeConfig {
  const state = useConfigState()
  if (state.status !== 'ready') throw new Error('useConfig is used before the configuration has arrived.')
  return state.config
}
