import type { Client } from '../client/Client.ts'
import { type Callbacks, type Result, runOperation } from '../client/runAction.ts'
import type { ActionError } from '../errors/ActionError.ts'
import type { User } from '../values/User.ts'
import { accountAction, loadAccount } from './accountAction.ts'

/**
 * Reads the user from the server again, such as after its e-mail address was verified.
 *
 * @example
 * const user = await refetchUser(client)
 */
export function refetchUser<
  Given extends Callbacks<User, ActionError<'refetchUser'>> = Callbacks<User, ActionError<'refetchUser'>>,
>(client: Client, callbacks: Given = {} as Given): Promise<Result<User, Given>> {
  return runOperation(client, callbacks, async () => {
    const account = await loadAccount(client)
    return account.refetchUser(client, callbacks)
  })
}

/**
 * Deletes the user's account for good and signs out.
 *
 * @example
 * await deleteUser(client)
 */
export const deleteUser = /*#__PURE__*/ accountAction('deleteUser')

/**
 * All stored data of the user, for saving as a file. It needs a recent proof (`reauthenticate`).
 *
 * @example
 * const data = await exportAccount(client)
 * const file = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })
 */
export const exportAccount = /*#__PURE__*/ accountAction('exportAccount')
