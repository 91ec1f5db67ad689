import type { MergePreview } from '../core/MergePreview.ts'
import type { WalletFlowState } from '../core/signInFlow/SignInFlowState.ts'
import { shortenAddress } from '../core/wallet/shortenAddress.ts'
import { Checklist } from './Checklist.tsx'
import { createStepButton } from './createStepButton.ts'
import { describeWalletStep } from './describeWalletStep.ts'
import { Glyph } from './Glyph.tsx'
import { Pairing } from './Pairing.tsx'
import { SheetButton } from './SheetButton.tsx'
import { useSheet } from './SheetContext.ts'
import { useSecondsLeft } from './useSecondsLeft.ts'
import { WalletIcon } from './WalletIcon.tsx'

/** The wallet's part of a sign-in: how far it is, what to do now, and the exact text that is signed. */
export function WalletStepView({ state }: { state: WalletFlowState }) {
  const sheet = useSheet()
  const { say } = sheet
  const seconds = useSecondsLeft(endOfWait(state))
  const { lead, text, tone, passed, actions } = describeWalletStep(say, state, seconds)
  const uri = state.status === 'connecting' ? state.uri : undefined
  return (
    <div className="cs-body cs-step">
      {uri ? (
        <Pairing uri={uri} />
      ) : (
        <>
          <div className="cs-hero" data-tone={tone}>
            <WalletIcon connector={state.connector} size="large" />
            {tone === 'error' && (
              <span className="cs-badge">
                <Glyph name="alert" size={18} />
              </span>
            )}
          </div>
          <Checklist passed={passed} busy={tone === 'busy'} atOnce={state.atOnce} />
          <div className="cs-status">
            <p className="cs-lead">{lead}</p>
            {text && <p className="cs-text">{text}</p>}
            {state.status === 'merging' && <MergeDetails preview={state.preview} />}
            {state.account && (
              <p className="cs-account" dir="ltr" title={state.account}>
                {shortenAddress(state.account)}
              </p>
            )}
          </div>
        </>
      )}
      {state.message && (
        <details className="cs-message">
          <summary>
            {say('message')}
            <Glyph name="chevron" size={16} />
          </summary>
          <pre dir="ltr">{state.message}</pre>
        </details>
      )}
      {actions.length > 0 && (
        <div className="cs-actions">
          {actions.map((action, index) => {
            const { label, press } = createStepButton(sheet, state, action)
            return (
              <SheetButton
                key={action}
                look={index === 0 ? 'primary' : index === 1 && actions.length > 2 ? 'secondary' : 'quiet'}
                disabled={state.status === 'limited' && action === 'retry' && seconds > 0}
                pending={state.status === 'merging' && action === 'merge' && state.pending}
                onClick={press}
              >
                {label}
              </SheetButton>
            )
          })}
        </div>
      )}
    </div>
  )
}

function MergeDetails({ preview }: { preview: MergePreview }) {
  const { say } = useSheet()
  const { from, fields, kept, sessionsEnded: count } = preview
  const lines = [
    ...(fields.length > 0 ? [say('mergingNew', { fields })] : []),
    ...(kept.length > 0 ? [say('mergingKept', { fields: kept })] : []),
    ...(count > 0 ? [say('mergingSignedOut', { from: from.username, count })] : []),
  ]
  if (lines.length === 0) return null
  return (
    <ul className="cs-details">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

function endOfWait(state: WalletFlowState): number | undefined {
  if (state.status === 'offline') return state.retryAt
  return state.status === 'limited' ? state.until : undefined
}
