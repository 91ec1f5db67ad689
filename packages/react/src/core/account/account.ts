import type { Client } from '../client/Client.ts'
import { type ActionOptions, type Callbacks, type Result, runOperation } from '../client/runAction.ts'
import type { ActionError } from '../errors/ActionError.ts'
import type { User } from '../values/User.ts'
import { loadAccount, runAccountAction } from './runAccountAction.ts'

/**
 * The present user's snapshot, if one is signed in. It asks nothing of the server; `refetchUser` does.
 *
 * @example
 * getUser(client)?.username
 */
export function getUser(client: Client): User | undefined {
  const state = client.session.get()
  return 'user' in state ? state.user : undefined
}

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
    return account.refetchUser(client, callbacks.signal)
  })
}

/**
 * Deletes the user's account for good and signs out.
 *
 * @example
 * await deleteUser(client)
 */
export function deleteUser(client: Client, options?: ActionOptions): Promise<void> {
  return runAccountAction(client, options, (account, signal) => account.deleteUser(client, signal))
}

/** What the server keeps of a user, as it came. */
export type AccountExport = Readonly<Record<string, unknown>>

/**
 * Everything that the server keeps of the user, for saving as a file. It needs a recent proof (`reauthenticate`).
 *
 * @example
 * const data = await exportAccount(client)
 * const file = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })
 */
export function exportAccount(client: Client, options?: ActionOptions): Promise<AccountExport> {
  return runAccountAction(client, options, (account, signal) => account.exportAccount(client, signal))
}
