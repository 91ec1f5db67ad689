import type { Client } from '../Client.ts'
import { createStore } from '../createStore.ts'
import type { WritableStore } from '../Store.ts'
import type { LiveState } from './LiveState.ts'

const stores = new WeakMap<Client, WritableStore<LiveState>>()

/** What the live connection shows of itself. There before the connection is, whose code is loaded when it is needed. */
export function liveStates(client: Client): WritableStore<LiveState> {
  const known = stores.get(client)
  if (known) return known
  const made = createStore<LiveState>({ status: 'idle', attempts: 0, subscriptions: 0 })
  stores.set(client, made)
  return made
}
