import { accountAction } from './accountAction.ts'

/**
 * Events of the user's account, newest first.
 *
 * @example
 * const latest = (await listActivity(client)) ?? []
 * const older = await listActivity(client, { before: latest.at(-1)?.at })
 */
export const listActivity = /*#__PURE__*/ accountAction('listActivity')
