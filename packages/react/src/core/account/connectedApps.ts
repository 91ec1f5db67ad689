import { accountAction } from './accountAction.ts'

/**
 * Applications that have access to the user's account by OpenID Connect.
 *
 * @example
 * const names = (await listConnectedApps(client))?.map((app) => app.name)
 */
export const listConnectedApps = /*#__PURE__*/ accountAction('listConnectedApps')

/**
 * Ends the access of an application, at once and everywhere.
 *
 * @example
 * await disconnectApp(client, { id: app.id })
 */
export const disconnectApp = /*#__PURE__*/ accountAction('disconnectApp')
