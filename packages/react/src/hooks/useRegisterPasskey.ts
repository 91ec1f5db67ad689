import { type RegisterPasskeyInput, registerPasskey } from '../core/actions/registerPasskey.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { Passkey } from '../core/Passkey.ts'
import { useMutation } from './useMutation.ts'

export type UseRegisterPasskey = MutationState<Passkey> & {
  readonly registerPasskey: (
    input: RegisterPasskeyInput,
    callbacks?: Callbacks<Passkey>,
  ) => Promise<Passkey | undefined>
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
  const { state, run, reset } = useMutation(registerPasskey)
  return { ...state, registerPasskey: run, reset }
}
