'use client'

import type { Role } from '../../core/account/inputs.ts'
import { listRoles } from '../../core/account/roles.ts'
import { defineAccountReading } from '../../core/readings/defineReading.ts'
import { useClient } from '../client/useClient.ts'
import { type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

// Named by their class, so that a change of a role reads them again.
const rolesReading = /*#__PURE__*/ defineAccountReading('roles', (client, _: { className: string }, options) =>
  listRoles(client, options),
)

/**
 * The roles of the signed-in user, as far as the user may read them. They are read again after this client changes one.
 *
 * @example
 * const roles = useRoles()
 * if (roles.status === 'success' && roles.data.some(({ name }) => name === 'admin')) return <AdminLink />
 */
export function useRoles<Selected = readonly Role[]>(
  options?: ReadOptions<readonly Role[], Selected>,
): UseAsync<Selected> {
  return useReading(rolesReading(useClient(), { className: '_Role' }), options)
}
