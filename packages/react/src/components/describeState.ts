import type { SignInFlowState } from '../core/signInFlow/SignInFlowState.ts'
import { describePasskeyStep } from './describePasskeyStep.ts'
import { describeWalletStep, type StepDescription } from './describeWalletStep.ts'
import type { SheetWords } from './words.ts'

export type StateDescription = {
  readonly title: string
  /** States of one step share the sheet's heading. */
  readonly step: 'choosing' | 'password' | 'passkey' | 'wallet' | 'done'
  /** Something is under way that can be cancelled. */
  readonly busy: boolean
  /** What a screen reader says when it comes to it, and what it says at once. */
  readonly polite: string
  readonly urgent: string
}

const quiet = { busy: false, polite: '', urgent: '' }

/** A state as the frame of the sheet tells it. */
export function describeState(words: SheetWords, linking: boolean, state: SignInFlowState): StateDescription {
  const title = linking ? words.linkWallet : words.signIn
  switch (state.status) {
    case 'choosing':
      return { ...quiet, title, step: 'choosing', polite: state.ended ? words.ended : '' }
    case 'password':
      return { ...quiet, title: words.signInWith(words.passwordName), step: 'password', busy: state.pending }
    case 'passkey': {
      const step = describePasskeyStep(words, state, 0)
      return { ...announce(step), title: words.signInWith(words.passkeyName), step: 'passkey', busy: state.pending }
    }
    case 'done':
      return { ...quiet, title, step: 'done', polite: state.linked ? words.linked : words.done }
    default: {
      const { name } = state.connector
      const isScan = state.status === 'connecting' && state.uri !== undefined
      const { lead, text, tone } = isScan
        ? ({ lead: words.scan, text: words.scanHint, tone: 'busy' } as const)
        : describeWalletStep(words, state, 0)
      // A countdown read out every second would drown everything else.
      const isCounting = state.status === 'offline' || state.status === 'limited'
      return {
        ...announce({ lead, text: isCounting ? undefined : text, tone }),
        title: linking ? words.linkNamed(name) : words.signInWith(name),
        step: 'wallet',
        busy: tone === 'busy',
      }
    }
  }
}

function announce({ lead, text, tone }: Pick<StepDescription, 'lead' | 'text' | 'tone'>) {
  const announcement = text ? `${lead} ${text}` : lead
  return tone === 'error' ? { polite: '', urgent: announcement } : { polite: announcement, urgent: '' }
}
