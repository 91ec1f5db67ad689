import { createClient } from '@countersign/react/core'
import { onScopeDispose, type ShallowRef, shallowRef } from 'vue'

declare module '@countersign/react/core' {
  interface Register {
    classes: { Score: { player: string; points: number } }
  }
}

/** One client for the whole page. The demo wallet is for people without one; leave it out in production. */
export const client = createClient({ appId: 'example', serverUrl: '/server', demoWallet: import.meta.env.DEV })

/** A store of the client as a ref: it follows the store until the component is gone. */
export function useStore<State>(store: {
  get: () => State
  subscribe: (listener: () => void) => () => void
}): ShallowRef<State> {
  const state = shallowRef(store.get())
  const unsubscribe = store.subscribe(() => {
    state.value = store.get()
  })
  onScopeDispose(unsubscribe)
  return state
}
