import { type SignMessageInput, signMessage } from '../core/actions/signMessage.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useMutation } from './useMutation.ts'

export type UseSignMessage = MutationState<string> & {
  readonly signMessage: (input: SignMessageInput, callbacks?: Callbacks<string>) => Promise<string | undefined>
  readonly reset: () => void
}

/**
 * Has the connected wallet sign a text.
 *
 * @example
 * const { signMessage, status } = useSignMessage()
 * <button onClick={() => signMessage({ message: 'I was here' })}>Sign</button>
 */
export function useSignMessage(): UseSignMessage {
  const { state, run, reset } = useMutation(signMessage)
  return { ...state, signMessage: run, reset }
}
