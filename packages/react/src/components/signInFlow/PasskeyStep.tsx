'use client'

import type { SignInFlowState } from '../../core/signInFlow/SignInFlowState.ts'
import { describePasskeyStep, describeProviderStep, type StepDescription } from './describeStep.ts'
import { CopyButton, Glyph, type GlyphName, QrCode, SheetButton } from './parts.tsx'
import { useSecondsLeft, useSheet } from './SheetContext.ts'

type Props = { state: Extract<SignInFlowState, { status: 'passkey' }> }

export function PasskeyStep({ state }: Props) {
  const { flow, say } = useSheet()
  const seconds = useSecondsLeft(state.until)
  const described = describePasskeyStep(say, state, seconds)
  return <AskingStep {...described} {...state} glyph="passkey" seconds={seconds} retry={flow.signInWithPasskey} />
}

/** A provider is open in a window of its own. */
export function ProviderStep({ state }: { state: Extract<SignInFlowState, { status: 'provider' }> }) {
  const { flow, say } = useSheet()
  const seconds = useSecondsLeft(state.until)
  const described = describeProviderStep(say, state, seconds)
  const retry = () => flow.signInWithProvider(state.provider)
  const { url, provider } = state
  if (url)
    return (
      <div className="cs-body cs-step">
        <div className="cs-pairing">
          <QrCode text={url} label={say('providerCode', { name: provider.label })} />
          <div className="cs-status">
            <p className="cs-lead">{described.lead}</p>
            <p className="cs-text">{described.text}</p>
          </div>
          <a className="cs-button" data-look="primary" href={url} target="_blank" rel="noreferrer">
            {say('providerOpen', { name: provider.label })}
          </a>
          <CopyButton text={url} label={say('copyLink')} />
        </div>
      </div>
    )
  return <AskingStep {...described} {...state} glyph="provider" seconds={seconds} retry={retry} />
}

type AskingProps = Pick<StepDescription, 'lead' | 'text' | 'tone'> & {
  glyph: GlyphName
  pending: boolean
  seconds: number
  retry: () => void
}

function AskingStep({ lead, text, tone, glyph, pending, seconds, retry }: AskingProps) {
  const { flow, say } = useSheet()
  return (
    <div className="cs-body cs-step">
      <div className="cs-hero" data-tone={tone}>
        <span className="cs-icon" data-size="large">
          <Glyph name={glyph} size={32} />
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
      {!pending && (
        <div className="cs-actions">
          <SheetButton disabled={seconds > 0} onClick={retry}>
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
