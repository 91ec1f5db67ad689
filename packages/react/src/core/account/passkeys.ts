import type { Client } from '../client/Client.ts'
import type { ActionOptions } from '../client/runAction.ts'
import type { Passkey, UndoDeadline } from '../values/records.ts'
import { runAccountAction } from './runAccountAction.ts'

/**
 * The user's passkeys, the oldest first.
 *
 * @example
 * const names = (await listPasskeys(client))?.map((passkey) => passkey.name)
 */
export function listPasskeys(client: Client, options?: ActionOptions): Promise<readonly Passkey[]> {
  return runAccountAction(client, options, (account, signal) => account.listPasskeys(client, signal))
}

export type RegisterPasskeyInput = {
  /** The user's name for it, to distinguish it from others. */
  name?: string
}

/**
 * Adds a passkey to the user's account: the browser makes it, the server keeps its public half. The server wants a
 * recent proof for it (`reauthenticate`).
 *
 * @example
 * await registerPasskey(client, { name: 'My phone' })
 */
export function registerPasskey(
  client: Client,
  input: RegisterPasskeyInput = {},
  options?: ActionOptions,
): Promise<Passkey> {
  return runAccountAction(client, options, (account, signal) => account.registerPasskey(client, input, signal))
}

export type RemovePasskeyInput = { objectId: string }

/**
 * Removes a passkey from the user's account; `restorePasskey` undoes it for ten minutes. The last sign-in method stays;
 * it needs a recent proof (`reauthenticate`).
 *
 * @example
 * await removePasskey(client, { objectId: passkey.objectId })
 */
export function removePasskey(
  client: Client,
  input: RemovePasskeyInput,
  options?: ActionOptions,
): Promise<UndoDeadline> {
  return runAccountAction(client, options, (account, signal) => account.removePasskey(client, input, signal))
}

export type RestorePasskeyInput = { objectId: string }

/**
 * Brings back a passkey that was removed, while that can still be undone.
 *
 * @example
 * await restorePasskey(client, { objectId: passkey.objectId })
 */
export function restorePasskey(client: Client, input: RestorePasskeyInput, options?: ActionOptions): Promise<Passkey> {
  return runAccountAction(client, options, (account, signal) => account.restorePasskey(client, input, signal))
}
