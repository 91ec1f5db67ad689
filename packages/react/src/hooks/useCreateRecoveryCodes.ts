import { createRecoveryCodes } from '../core/actions/createRecoveryCodes.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useCommand } from './useCommand.ts'

export type UseCreateRecoveryCodes = MutationState<readonly string[]> & {
  readonly createRecoveryCodes: (callbacks?: Callbacks<readonly string[]>) => Promise<readonly string[] | undefined>
  readonly reset: () => void
}

/**
 * Makes ten new recovery codes, which are told once.
 *
 * @example
 * const { createRecoveryCodes, status } = useCreateRecoveryCodes()
 * <button disabled={status === 'pending'} onClick={() => createRecoveryCodes()}>Make codes</button>
 */
export function useCreateRecoveryCodes(): UseCreateRecoveryCodes {
  const { state, run, reset } = useCommand(createRecoveryCodes)
  return { ...state, createRecoveryCodes: run, reset }
}
