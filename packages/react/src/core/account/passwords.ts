import { accountAction } from './accountAction.ts'

/**
 * Sets a new password, for which the server asks the present one. Every other session of the user ends.
 *
 * @example
 * await changePassword(client, { currentPassword: 'correct horse', newPassword: 'battery staple' })
 */
export const changePassword = /*#__PURE__*/ accountAction('changePassword')

/**
 * Has the server send a mail with a link to set a new password. The response does not reveal whether the address has an account.
 *
 * @example
 * await requestPasswordReset(client, { email: 'ada@example.org' })
 */
export const requestPasswordReset = /*#__PURE__*/ accountAction('requestPasswordReset')

/**
 * Sets a new password with the token of the mailed link.
 *
 * @example
 * await resetPassword(client, { token: 'from-the-link', password: 'battery staple' })
 */
export const resetPassword = /*#__PURE__*/ accountAction('resetPassword')
