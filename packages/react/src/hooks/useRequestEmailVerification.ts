import {
  type RequestEmailVerificationInput,
  requestEmailVerification,
} from '../core/actions/requestEmailVerification.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useMutation } from './useMutation.ts'

export type UseRequestEmailVerification = MutationState<void> & {
  readonly requestEmailVerification: (input: RequestEmailVerificationInput, callbacks?: Callbacks) => Promise<void>
  readonly reset: () => void
}

/**
 * Has the mail that verifies an address sent once more.
 *
 * @example
 * const { requestEmailVerification, status } = useRequestEmailVerification()
 * <button disabled={status === 'pending'} onClick={() => requestEmailVerification({ email: 'ada@example.org' })}>Go</button>
 */
export function useRequestEmailVerification(): UseRequestEmailVerification {
  const { state, run, reset } = useMutation(requestEmailVerification)
  return { ...state, requestEmailVerification: run, reset }
}
