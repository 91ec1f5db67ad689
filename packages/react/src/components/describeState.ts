import type { SignInFlowState } from '../core/signInFlow/SignInFlowState.ts'
import type { Say } from './createSay.ts'
import { describePasskeyStep } from './describePasskeyStep.ts'
import { describeWalletStep, type StepDescription } from './describeWalletStep.ts'

export type StateDescription = {
  readonly title: string
  /** States of one step share the sheet's heading. */
  readonly step: 'choosing' | 'password' | 'passkey' | 'wallet' | 'deleted' | 'done'
  /** Something is under way that can be cancelled. */
  readonly busy: boolean
  /** What a screen reader says when it comes to it, and what it says at once. */
  readonly polite: string
  readonly urgent: string
}

const quiet = { busy: false, polite: '', urgent: '' }

/** A state as the frame of the sheet tells it. */
export function describeState(say: Say, linking: boolean, state: SignInFlowState): StateDescription {
  const title = linking ? say('linkWallet') : say('signIn')
  switch (state.status) {
    case 'choosing':
      return { ...quiet, title, step: 'choosing', polite: state.ended ? say('ended') : '' }
    case 'password':
      return { ...quiet, title: say('passwordTitle'), step: 'password', busy: state.pending }
    case 'passkey': {
      const step = describePasskeyStep(say, state, 0)
      return { ...announce(step), title: say('passkeyTitle'), step: 'passkey', busy: state.pending }
    }
    case 'deleted': {
      const lead = say('deleted', { date: new Date(state.dueAt) })
      return {
        ...announce({ lead, text: say('deletedHint'), tone: 'calm' }),
        title: say('deletedTitle'),
        step: 'deleted',
        busy: false,
      }
    }
    case 'done':
      return { ...quiet, title, step: 'done', polite: state.linked ? say('linked') : say('done') }
    default: {
      const { name } = state.connector
      const isScan = state.status === 'connecting' && state.uri !== undefined
      const { lead, text, tone } = isScan
        ? ({ lead: say('scan'), text: say('scanHint'), tone: 'busy' } as const)
        : describeWalletStep(say, state, 0)
      // A countdown read out every second would drown everything else.
      const isCounting = state.status === 'offline' || state.status === 'limited'
      return {
        ...announce({ lead, text: isCounting ? undefined : text, tone }),
        title: linking ? say('linkNamed', { name }) : say('signInWith', { name }),
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
