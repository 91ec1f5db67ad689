import type { Role } from '../core/actions/listRoles.ts'
import { getRolesReading } from '../core/readings/getRolesReading.ts'
import { type UseReading, useReading } from './useReading.ts'

/**
 * The roles of the signed-in user, as far as the user may read them. They are read again after this client changes one.
 *
 * @example
 * const roles = useRoles()
 * if (roles.status === 'success' && roles.data.some(({ name }) => name === 'admin')) return <AdminLink />
 */
export function useRoles(): UseReading<readonly Role[]> {
  return useReading(getRolesReading)
}
