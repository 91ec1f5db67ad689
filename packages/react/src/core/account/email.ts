import { accountAction } from './accountAction.ts'

/**
 * Has the server send the mail that verifies an address once more.
 *
 * @example
 * await requestEmailVerification(client, { email: 'ada@example.org' })
 */
export const requestEmailVerification = /*#__PURE__*/ accountAction('requestEmailVerification')

/**
 * Verifies an e-mail address with the token of the mailed link. A user who is signed in is read again.
 *
 * @example
 * await verifyEmail(client, { token: 'from-the-link' })
 */
export const verifyEmail = /*#__PURE__*/ accountAction('verifyEmail')

/**
 * Restores a changed or removed email address with the token of the link that was mailed to it. Every session ends and
 * the password is removed; returns the token for a new one (`resetPassword`).
 *
 * @example
 * const token = await undoEmailChange(client, { token: 'from-the-link' })
 */
export const undoEmailChange = /*#__PURE__*/ accountAction('undoEmailChange')

/**
 * The mails that the server kept because it has no SMTP server, for developers to read.
 *
 * @example
 * const link = (await listOutbox(client))?.[0]?.link
 */
export const listOutbox = /*#__PURE__*/ accountAction('listOutbox')
