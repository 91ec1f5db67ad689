import type { RuntimeConfig } from '@countersign/protocol'
import { useConfigState } from './useConfigState.ts'

/** The run-time configuration, for everything that is drawn after the start has succeeded. */
export function useConfig(): RuntimeConfig {
  const state = useConfigState()
  if (state.status !== 'ready') throw new Error('useConfig is used before the configuration has arrived.')
  return state.config
}
