import { accountAction } from './accountAction.ts'

/**
 * The user's passkeys, the oldest first.
 *
 * @example
 * const names = (await listPasskeys(client))?.map((passkey) => passkey.name)
 */
export const listPasskeys = /*#__PURE__*/ accountAction('listPasskeys')

/**
 * Adds a passkey to the user's account: the browser makes it, the server keeps its public half. The server wants a
 * recent proof for it (`reauthenticate`).
 *
 * @example
 * await registerPasskey(client, { name: 'My phone' })
 */
export const registerPasskey = /*#__PURE__*/ accountAction('registerPasskey')

/**
 * Removes a passkey from the user's account; `restorePasskey` undoes it for ten minutes. The last sign-in method stays;
 * it needs a recent proof (`reauthenticate`).
 *
 * @example
 * await removePasskey(client, { objectId: passkey.objectId })
 */
export const removePasskey = /*#__PURE__*/ accountAction('removePasskey')

/**
 * Brings back a passkey that was removed, while that can still be undone.
 *
 * @example
 * await restorePasskey(client, { objectId: passkey.objectId })
 */
export const restorePasskey = /*#__PURE__*/ accountAction('restorePasskey')
