import type { Client } from '../client/Client.ts'
import type { User } from '../values/User.ts'

/**
 * The present user's snapshot, if one is signed in. It asks nothing of the server; `refetchUser` does.
 *
 * @example
 * getUser(client)?.username
 */
export function getUser(client: Client): User | undefined {
  const state = client.session.get()
  return 'user' in state ? state.user : undefined
}
