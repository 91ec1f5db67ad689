import type { Client } from '../client/Client.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import { loadOnce } from '../platform/loadOnce.ts'

/** A role that the user has, by being in it or by a role that is in it. */
export type Role = { readonly objectId: string; readonly name: string; readonly isInherited: boolean }

const load = /*#__PURE__*/ loadOnce(() => import('./findRoles.ts'))

/**
 * The roles of the signed-in user, as far as the user may read them.
 *
 * @example
 * const isAdmin = (await listRoles(client))?.some(({ name }) => name === 'admin')
 */
export function listRoles(client: Client, { signal }: ActionOptions = {}): Promise<readonly Role[]> {
  return runAction(client, async () => {
    const { findRoles } = await load()
    return findRoles(client, signal)
  })
}
