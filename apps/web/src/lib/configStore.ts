import type { RuntimeConfig } from '@countersign/protocol'

export type ConfigState =
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
