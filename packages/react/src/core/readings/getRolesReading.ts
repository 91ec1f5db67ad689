import { listRoles, type Role } from '../actions/listRoles.ts'
import type { Client } from '../Client.ts'
import { createReading, type Reading } from '../createReading.ts'
import { shareReading } from '../documents/shareReading.ts'

/** The one reading of the user's roles that all hooks of a client share; a change of a role begins it anew. */
export function getRolesReading(client: Client): Reading<readonly Role[]> {
  return shareReading(
    client,
    () => ({ roles: { className: '_Role' } }),
    () => createReading(client, listRoles, ({ internal }) => internal.current?.record.objectId),
  )
}
