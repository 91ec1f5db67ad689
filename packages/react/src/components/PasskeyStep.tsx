import type { SignInFlowState } from '../core/signInFlow/SignInFlowState.ts'
import { describePasskeyStep } from './describePasskeyStep.ts'
import { Glyph } from './Glyph.tsx'
import { SheetButton } from './SheetButton.tsx'
import { useSheet } from './SheetContext.ts'
import { useSecondsLeft } from './useSecondsLeft.ts'

type Props = { state: Extract<SignInFlowState, { status: 'passkey' }> }

export function PasskeyStep({ state }: Props) {
  const { flow, say } = useSheet()
  const seconds = useSecondsLeft(state.until)
  const { lead, text, tone } = describePasskeyStep(say, state, seconds)
  return (
    <div className="cs-body cs-step">
      <div className="cs-hero" data-tone={tone}>
        <span className="cs-icon" data-size="large">
          <Glyph name="passkey" size={32} />
        </span>
        {tone === 'error' && (
          <span className="cs-badge">
            <Glyph name="alert" size={18} />
          </span>
        )}
      </div>
      <div className="cs-status">
        <p className="cs-lead">{lead}</p>
        <p className="cs-text">{text}</p>
      </div>
      {!state.pending && (
        <div className="cs-actions">
          <SheetButton disabled={seconds > 0} onClick={flow.signInWithPasskey}>
            {say('tryAgain')}
          </SheetButton>
          <SheetButton look="quiet" onClick={() => flow.reset()}>
            {say('otherWay')}
          </SheetButton>
        </div>
      )}
    </div>
  )
}
