import type { Client } from '../Client.ts'
import type { Store } from '../Store.ts'
import type { LiveState } from './LiveState.ts'
import { liveStates } from './liveStates.ts'

/**
 * The state of the one live connection that a client has. Looking at it opens none.
 *
 * @example
 * const live = getLiveState(client)
 * live.subscribe(() => console.log(live.get().status, live.get().attempts))
 */
export function getLiveState(client: Client): Store<LiveState> {
  const { get, subscribe } = liveStates(client)
  return { get, subscribe }
}
