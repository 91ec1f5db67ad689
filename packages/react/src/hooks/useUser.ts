import { useSyncExternalStore } from 'react'
import { getUser } from '../core/actions/getUser.ts'
import type { User } from '../core/User.ts'
import { useClient } from './useClient.ts'

/**
 * The present user, if one is signed in; a new object when, and only when, something in it changed.
 *
 * @example
 * const user = useUser()
 */
export function useUser(): User | undefined {
  const client = useClient()
  return useSyncExternalStore(
    client.session.subscribe,
    () => getUser(client),
    () => client.internal.rendered?.user,
  )
}
