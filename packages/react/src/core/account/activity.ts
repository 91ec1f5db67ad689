import { accountAction } from './accountAction.ts'

/**
 * What happened to the user's account, the latest first.
 *
 * @example
 * const latest = (await listActivity(client)) ?? []
 * const older = await listActivity(client, { before: latest.at(-1)?.at })
 */
export const listActivity = /*#__PURE__*/ accountAction('listActivity')
