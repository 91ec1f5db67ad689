import { type AccountExport, exportAccount } from '../core/actions/exportAccount.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useCommand } from './useCommand.ts'

export type UseExportAccount = MutationState<AccountExport> & {
  readonly exportAccount: (callbacks?: Callbacks<AccountExport>) => Promise<AccountExport | undefined>
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
  const { state, run, reset } = useCommand(exportAccount)
  return { ...state, exportAccount: run, reset }
}
