import { PasskeyError } from '../core/errors/PasskeyError.ts'
import type { SignInFlowState } from '../core/signInFlow/SignInFlowState.ts'
import { describeProblem } from './describeProblem.ts'
import type { StepDescription } from './describeWalletStep.ts'
import type { SheetWords } from './words.ts'

/** A state of the passkey step in words. `seconds` are those left of a wait. */
export function describePasskeyStep(
  words: SheetWords,
  { error }: Extract<SignInFlowState, { status: 'passkey' }>,
  seconds: number,
): Pick<StepDescription, 'lead' | 'text' | 'tone'> {
  if (!error) return { lead: words.passkeyAsking, text: words.passkeyAskingHint, tone: 'busy' }
  if (error instanceof PasskeyError && error.reason === 'cancelled') {
    return { lead: words.passkeyCancelled, text: words.passkeyCancelledHint, tone: 'calm' }
  }
  return { lead: words.failed, text: describeProblem(words, error, seconds), tone: 'error' }
}
