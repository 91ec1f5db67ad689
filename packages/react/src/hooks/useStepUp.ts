import { type Confirmation, type StepUpInput, stepUp } from '../core/actions/stepUp.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import { useMutation } from './useMutation.ts'

export type UseStepUp = MutationState<Confirmation> & {
  readonly stepUp: (input: StepUpInput, callbacks?: Callbacks<Confirmation>) => Promise<Confirmation | undefined>
  readonly reset: () => void
}

/**
 * Shows the server once more that it is the user who sits there.
 *
 * @example
 * const { stepUp, status } = useStepUp()
 * <button disabled={status === 'pending'} onClick={() => stepUp({ password: 'correct horse' })}>Go</button>
 */
export function useStepUp(): UseStepUp {
  const { state, run, reset } = useMutation(stepUp)
  return { ...state, stepUp: run, reset }
}
