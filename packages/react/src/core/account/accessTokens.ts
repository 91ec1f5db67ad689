import { accountAction } from './accountAction.ts'

/**
 * Access tokens of the user's account, newest first: of programs that act for the user within scopes.
 *
 * @example
 * const unused = (await listAccessTokens(client))?.filter(({ lastUsedAt }) => !lastUsedAt)
 */
export const listAccessTokens = /*#__PURE__*/ accountAction('listAccessTokens')

/**
 * Creates a personal access token; `token` is shown once. The server wants a recent proof for it (`reauthenticate`).
 *
 * @example
 * const made = await createAccessToken(client, { name: 'Nightly export', scopes: ['Score:read'] })
 */
export const createAccessToken = /*#__PURE__*/ accountAction('createAccessToken')

/**
 * Revokes an access token of the user's account, at once and everywhere.
 *
 * @example
 * await revokeAccessToken(client, { objectId: token.objectId })
 */
export const revokeAccessToken = /*#__PURE__*/ accountAction('revokeAccessToken')
