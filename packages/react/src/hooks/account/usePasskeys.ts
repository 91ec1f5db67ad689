'use client'

import { listPasskeys, registerPasskey, removePasskey, restorePasskey } from '../../core/account/passkeys.ts'
import { defineAccountReading } from '../../core/readings/defineReading.ts'
import type { Passkey } from '../../core/values/records.ts'
import { useClient } from '../client/useClient.ts'
import { type ActionHook, useAction } from '../client/useMutation.ts'
import { type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

const passkeysReading = /*#__PURE__*/ defineAccountReading('listPasskeys', (client, _: undefined, options) =>
  listPasskeys(client, options),
)

/**
 * The user's passkeys. They are read again after one is added or removed.
 *
 * @example
 * const passkeys = usePasskeys()
 * if (passkeys.status === 'success') return passkeys.data.map((passkey) => <p key={passkey.objectId}>{passkey.name}</p>)
 */
export function usePasskeys<Selected = readonly Passkey[]>(
  options?: ReadOptions<readonly Passkey[], Selected>,
): UseAsync<Selected> {
  return useReading(passkeysReading(useClient(), undefined), options)
}

export type UseRegisterPasskey = ActionHook<'registerPasskey', typeof registerPasskey>

/**
 * Adds a passkey to the user's account.
 *
 * @example
 * const { registerPasskey, status } = useRegisterPasskey()
 * <button disabled={status === 'pending'} onClick={() => registerPasskey({ name: 'My phone' })}>Go</button>
 */
export function useRegisterPasskey(): UseRegisterPasskey {
  return useAction('registerPasskey', registerPasskey)
}

export type UseRemovePasskey = ActionHook<'removePasskey', typeof removePasskey>

/**
 * Takes a passkey from the user's account; `useRestorePasskey` undoes it for ten minutes.
 *
 * @example
 * const { removePasskey, status } = useRemovePasskey()
 * <button disabled={status === 'pending'} onClick={() => removePasskey({ objectId: passkey.objectId })}>Go</button>
 */
export function useRemovePasskey(): UseRemovePasskey {
  return useAction('removePasskey', removePasskey)
}

export type UseRestorePasskey = ActionHook<'restorePasskey', typeof restorePasskey>

/**
 * Brings back a passkey that was removed.
 *
 * @example
 * const { restorePasskey } = useRestorePasskey()
 * <button onClick={() => restorePasskey({ objectId: passkey.objectId })}>Undo</button>
 */
export function useRestorePasskey(): UseRestorePasskey {
  return useAction('restorePasskey', restorePasskey)
}
