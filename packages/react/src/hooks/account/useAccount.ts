'use client'

import { deleteUser, exportAccount, refetchUser } from '../../core/account/account.ts'
import type { AccountExport } from '../../core/account/inputs.ts'
import { saveUser } from '../../core/account/saveUser.ts'
import type { ActionError } from '../../core/errors/ActionError.ts'
import type { ActionState, Run, RunPlain } from '../../core/readings/createMutation.ts'
import type { UserChanges } from '../../core/values/Changes.ts'
import type { User } from '../../core/values/User.ts'
import { useAction, usePlainAction } from '../client/useMutation.ts'

export type UseSaveUser = ActionState<User, ActionError<'saveUser'>> & {
  readonly saveUser: Run<UserChanges, User, ActionError<'saveUser'>>
  readonly reset: () => void
}

/**
 * Saves changed fields of the user; the edit shows at once and is taken back if it is refused.
 *
 * @example
 * const { saveUser, status } = useSaveUser()
 * <button disabled={status === 'pending'} onClick={() => saveUser({ favouriteColour: 'blue' })}>Go</button>
 */
export function useSaveUser(): UseSaveUser {
  return useAction('saveUser', saveUser)
}

export type UseRefetchUser = ActionState<User, ActionError<'refetchUser'>> & {
  readonly refetchUser: RunPlain<User, ActionError<'refetchUser'>>
  readonly reset: () => void
}

/**
 * Reads the user from the server again.
 *
 * @example
 * const { refetchUser, status } = useRefetchUser()
 * <button disabled={status === 'pending'} onClick={() => refetchUser()}>Go</button>
 */
export function useRefetchUser(): UseRefetchUser {
  return usePlainAction('refetchUser', refetchUser)
}

export type UseDeleteUser = ActionState<void, ActionError<'deleteUser'>> & {
  readonly deleteUser: RunPlain<void, ActionError<'deleteUser'>>
  readonly reset: () => void
}

/**
 * Deletes the user's account and signs out.
 *
 * @example
 * const { deleteUser, status } = useDeleteUser()
 * <button disabled={status === 'pending'} onClick={() => deleteUser()}>Go</button>
 */
export function useDeleteUser(): UseDeleteUser {
  return usePlainAction('deleteUser', deleteUser)
}

export type UseExportAccount = ActionState<AccountExport, ActionError<'exportAccount'>> & {
  readonly exportAccount: RunPlain<AccountExport, ActionError<'exportAccount'>>
  readonly reset: () => void
}

/**
 * Fetches everything that the server keeps of the user.
 *
 * @example
 * const { exportAccount, status } = useExportAccount()
 * <button disabled={status === 'pending'} onClick={() => exportAccount()}>Export my data</button>
 */
export function useExportAccount(): UseExportAccount {
  return usePlainAction('exportAccount', exportAccount)
}
