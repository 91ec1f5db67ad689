import { accountAction } from './accountAction.ts'

/**
 * The roles of the signed-in user, as far as the user may read them.
 *
 * @example
 * const isAdmin = (await listRoles(client))?.some(({ name }) => name === 'admin')
 */
export const listRoles = /*#__PURE__*/ accountAction('listRoles')
