import { accountAction } from './accountAction.ts'

/**
 * The places where the user is signed in.
 *
 * @example
 * const others = (await listSessions(client))?.filter((session) => !session.current)
 */
export const listSessions = /*#__PURE__*/ accountAction('listSessions')

/**
 * Ends one of the user's sessions, at once and everywhere.
 *
 * @example
 * await revokeSession(client, { objectId: session.objectId })
 */
export const revokeSession = /*#__PURE__*/ accountAction('revokeSession')

/**
 * Ends all other sessions of the user; returns their number.
 *
 * @example
 * const count = await revokeOtherSessions(client)
 */
export const revokeOtherSessions = /*#__PURE__*/ accountAction('revokeOtherSessions')
