'use client'

import type { RegisterPasskeyInput, RemovePasskeyInput, RestorePasskeyInput } from '../../core/account/inputs.ts'
import { listPasskeys, registerPasskey, removePasskey, restorePasskey } from '../../core/account/passkeys.ts'
import type { ActionError } from '../../core/errors/ActionError.ts'
import type { ActionState, Run } from '../../core/readings/createMutation.ts'
import { defineAccountReading } from '../../core/readings/defineReading.ts'
import type { Passkey, UndoDeadline } from '../../core/values/records.ts'
import { useClient } from '../client/useClient.ts'
import { useAction } from '../client/useMutation.ts'
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

export type UseRegisterPasskey = ActionState<Passkey, ActionError<'registerPasskey'>> & {
  readonly registerPasskey: Run<RegisterPasskeyInput, Passkey, ActionError<'registerPasskey'>>
  readonly reset: () => void
}

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

export type UseRemovePasskey = ActionState<UndoDeadline, ActionError<'removePasskey'>> & {
  readonly removePasskey: Run<RemovePasskeyInput, UndoDeadline, ActionError<'removePasskey'>>
  readonly reset: () => void
}

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

export type UseRestorePasskey = ActionState<Passkey, ActionError<'restorePasskey'>> & {
  readonly restorePasskey: Run<RestorePasskeyInput, Passkey, ActionError<'restorePasskey'>>
  readonly reset: () => void
}

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
