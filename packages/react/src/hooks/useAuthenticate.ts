import { authenticate } from '../core/actions/authenticate.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { User } from '../core/User.ts'
import type { SignerInput } from '../core/wallet/Signer.ts'
import { useMutation } from './useMutation.ts'

export type UseAuthenticate = MutationState<User> & {
  readonly authenticate: (input?: SignerInput, callbacks?: Callbacks<User>) => Promise<User | undefined>
  readonly reset: () => void
}

/**
 * Signs a user in by wallet.
 *
 * @example
 * const { authenticate, status } = useAuthenticate()
 * <button disabled={status === 'pending'} onClick={() => authenticate({ connector: 'injected' })}>Go</button>
 */
export function useAuthenticate(): UseAuthenticate {
  const { state, run, reset } = useMutation(authenticate)
  return { ...state, authenticate: run, reset }
}
