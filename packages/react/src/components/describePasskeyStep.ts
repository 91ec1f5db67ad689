import type { SignInFlowState } from '../core/signInFlow/SignInFlowState.ts'
import type { Say } from './createSay.ts'
import { describeProblem } from './describeProblem.ts'
import type { StepDescription } from './describeWalletStep.ts'

/** A state of the passkey step in words. `seconds` are those left of a wait. */
export function describePasskeyStep(
  say: Say,
  { error }: Extract<SignInFlowState, { status: 'passkey' }>,
  seconds: number,
): Pick<StepDescription, 'lead' | 'text' | 'tone'> {
  if (!error) return { lead: say('passkeyAsking'), text: say('passkeyAskingHint'), tone: 'busy' }
  if (error.reason === 'passkeyCancelled') {
    return { lead: say('passkeyCancelled'), text: say('passkeyCancelledHint'), tone: 'calm' }
  }
  return { lead: say('failed'), text: describeProblem(say, error, seconds), tone: 'error' }
}
