import { accountAction } from './accountAction.ts'

/**
 * All sign-in methods of the user's account: password, wallets, passkeys.
 *
 * @example
 * const hasPassword = (await listSignInMethods(client))?.password
 */
export const listSignInMethods = /*#__PURE__*/ accountAction('listSignInMethods')
