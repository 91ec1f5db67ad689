'use client'

import { deleteUser, exportAccount, refetchUser } from '../../core/account/account.ts'
import { saveUser } from '../../core/account/saveUser.ts'
import { type ActionHook, useAction, usePlainAction } from '../client/useMutation.ts'

export type UseSaveUser = ActionHook<'saveUser', typeof saveUser>

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

export type UseRefetchUser = ActionHook<'refetchUser', typeof refetchUser>

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

export type UseDeleteUser = ActionHook<'deleteUser', typeof deleteUser>

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

export type UseExportAccount = ActionHook<'exportAccount', typeof exportAccount>

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
