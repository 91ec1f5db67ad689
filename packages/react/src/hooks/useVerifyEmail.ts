import { type VerifyEmailInput, verifyEmail } from '../core/actions/verifyEmail.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useMutation } from './useMutation.ts'

export type UseVerifyEmail = MutationState<void> & {
  readonly verifyEmail: (input: VerifyEmailInput, callbacks?: Callbacks) => Promise<void>
  readonly reset: () => void
}

/**
 * Verifies an e-mail address with the token of the mailed link.
 *
 * @example
 * const { verifyEmail, status } = useVerifyEmail()
 * <button disabled={status === 'pending'} onClick={() => verifyEmail({ token })}>Go</button>
 */
export function useVerifyEmail(): UseVerifyEmail {
  const { state, run, reset } = useMutation(verifyEmail)
  return { ...state, verifyEmail: run, reset }
}
