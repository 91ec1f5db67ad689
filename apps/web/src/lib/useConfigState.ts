import { useSyncExternalStore } from 'react'
import { configStore } from './configStore.ts'

export function useConfigState() {
  return useSyncExternalStore(configStore.subscribe, configStore.get)
}
