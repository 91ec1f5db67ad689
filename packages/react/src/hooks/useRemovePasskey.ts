import { type RemovePasskeyInput, removePasskey } from '../core/actions/removePasskey.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useMutation } from './useMutation.ts'

export type UseRemovePasskey = MutationState<void> & {
  readonly removePasskey: (input: RemovePasskeyInput, callbacks?: Callbacks) => Promise<void>
  readonly reset: () => void
}

/**
 * Takes a passkey from the user's account.
 *
 * @example
 * const { removePasskey, status } = useRemovePasskey()
 * <button disabled={status === 'pending'} onClick={() => removePasskey({ objectId: passkey.objectId })}>Go</button>
 */
export function useRemovePasskey(): UseRemovePasskey {
  const { state, run, reset } = useMutation(removePasskey)
  return { ...state, removePasskey: run, reset }
}
