import { accountAction } from './accountAction.ts'

/**
 * How many recovery codes the user has left, and whether sign-ins on new devices are reported by mail.
 *
 * @example
 * const security = await getAccountSecurity(client)
 * const isLow = security !== undefined && security.recoveryCodes.left < 3
 */
export const getAccountSecurity = /*#__PURE__*/ accountAction('getAccountSecurity')

/**
 * Turns the mails about new devices on or off. Off needs a recent proof (`reauthenticate`).
 *
 * @example
 * await updateAccountSecurity(client, { signInAlerts: true })
 */
export const updateAccountSecurity = /*#__PURE__*/ accountAction('updateAccountSecurity')

/**
 * Ten new recovery codes, which are returned once; the former ones end. It needs a recent proof (`reauthenticate`).
 *
 * @example
 * const codes = await createRecoveryCodes(client)
 */
export const createRecoveryCodes = /*#__PURE__*/ accountAction('createRecoveryCodes')
