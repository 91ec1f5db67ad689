import type { Store } from '../core/state/createStore.ts'

/** Writes down the states that a store goes through, from the present one on. */
export function watchStates<State extends { status: string }>(store: Store<State>): string[] {
  const seen: string[] = [describe(store.get())]
  store.subscribe(() => {
    // A stored user that is being verified is not a separate state.
    if (!('isVerifying' in store.get())) seen.push(describe(store.get()))
  })
  return seen
}

function describe(state: { status: string; user?: { username?: unknown } }): string {
  return state.user ? `${state.status} ${state.user.username}` : state.status
}
