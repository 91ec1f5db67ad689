'use client'

import { useEffect, useState } from 'react'
import type { WalletFlowState } from '../../core/signInFlow/SignInFlowState.ts'
import type { MergePreview } from '../../core/values/records.ts'
import { shortenAddress } from '../../core/wallet/shortenAddress.ts'
import { describeWalletStep, isTouchDevice, type StepAction } from './describeStep.ts'
import { CopyButton, Glyph, QrCode, SheetButton, WalletIcon } from './parts.tsx'
import { type Sheet, useSecondsLeft, useSheet } from './SheetContext.ts'

/** How long a wallet app may take to come to the front before it counts as missing. */
const waitTime = 2000

const tellers = { done: 'stepIsDone', current: 'stepIsCurrent', next: 'stepIsNext' } as const

/** The wallet's part of a sign-in: progress, next step, and the exact text to sign. */
export function WalletStepView({ state }: { state: WalletFlowState }) {
  const sheet = useSheet()
  const { say } = sheet
  const seconds = useSecondsLeft(endOfWait(state))
  const { lead, text, tone, passed, actions } = describeWalletStep(say, state, seconds)
  const uri = state.status === 'connecting' ? state.uri : undefined
  // Deciding about two accounts is not a signing step, and the signature is done.
  const isDeciding = state.status === 'taken' || state.status === 'merging'
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
          {!isDeciding && <Checklist passed={passed} busy={tone === 'busy'} atOnce={state.atOnce} />}
          <div className="cs-status">
            <p className="cs-lead">{lead}</p>
            {state.status === 'merging' && (
              // The sentence below says the same in words.
              <p className="cs-merge" aria-hidden="true">
                <bdi>{state.preview.from.username}</bdi>
                <Glyph name="chevron" size={16} />
                <bdi>{state.preview.into.username}</bdi>
              </p>
            )}
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
      {state.message && !isDeciding && (
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

type StepButton = { readonly label: string; readonly press: () => void }

/** Label and action of a button in the wallet step. */
function createStepButton(sheet: Sheet, state: WalletFlowState, action: StepAction): StepButton {
  const { flow, say, linking, close } = sheet
  const account = shortenAddress(state.account)
  const buttons: Record<StepAction, () => StepButton> = {
    retry: () => ({ label: say('tryAgain'), press: flow.retry }),
    restart: () => ({ label: say('startOver'), press: flow.retry }),
    tryNow: () => ({ label: say('tryNow'), press: flow.retry }),
    signIn: () => ({ label: linking ? say('linkWallet') : say('signIn'), press: flow.retry }),
    signInAs: () => ({
      label: linking
        ? say('linkNamed', { name: account ?? '' })
        : account
          ? say('signInAs', { account })
          : say('signIn'),
      press: flow.retry,
    }),
    switchAccount: () => ({ label: say('otherAccount'), press: flow.switchAccount }),
    signInThere: () => ({ label: say('signInThere'), press: flow.signInThere }),
    previewMerge: () => ({ label: say('mergeAsk'), press: flow.previewAccountMerge }),
    merge: () => ({ label: say('merge'), press: flow.mergeAccounts }),
    otherWay: () => ({ label: say('otherWay'), press: () => flow.reset() }),
    notNow: () => ({ label: say('notNow'), press: close }),
  }
  return buttons[action]()
}

type Props = {
  passed: 0 | 1 | 2
  busy: boolean
  /** Connecting and signing are one step. */
  atOnce?: boolean | undefined
}

/** Connect → Sign → Done, live. */
function Checklist({ passed, busy, atOnce = false }: Props) {
  const { say } = useSheet()
  const steps = [say('stepConnect'), say('stepSign'), say('stepDone')].slice(atOnce ? 1 : 0)
  const behind = atOnce ? Math.max(0, passed - 1) : passed
  return (
    <ol className="cs-checklist">
      {steps.map((step, index) => {
        const state = index < behind ? 'done' : index === behind ? 'current' : 'next'
        return (
          <li key={step} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
            <span className="cs-mark" data-busy={(state === 'current' && busy) || undefined}>
              {state === 'done' && <Glyph name="check" size={14} />}
            </span>
            {step}
            <span className="cs-hidden">{say(tellers[state])}</span>
          </li>
        )
      })}
    </ol>
  )
}

/** Connects a wallet on a phone: by a code from another screen, by a link on the phone itself. */
function Pairing({ uri }: { uri: string }) {
  const { say, links } = useSheet()
  const [isHere] = useState(isTouchDevice)
  const [isOpened, setOpened] = useState(false)
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    if (!isOpened) return
    // The page is hidden as soon as another app takes over.
    const timer = setTimeout(() => setMissing(document.visibilityState === 'visible'), waitTime)
    return () => clearTimeout(timer)
  }, [isOpened])
  // A text of any other scheme could be an address that runs script or leads elsewhere.
  const isLink = /^wc:/i.test(uri)
  if (!isHere || !isLink) {
    return (
      <div className="cs-pairing">
        <QrCode text={uri} label={say('codeLabel')} />
        <div className="cs-status">
          <p className="cs-lead">{say('scan')}</p>
          <p className="cs-text">{say('scanHint')}</p>
        </div>
        <CopyButton text={uri} label={say('copyLink')} />
      </div>
    )
  }
  return (
    <div className="cs-pairing">
      <div className="cs-status">
        <p className="cs-lead">{isMissing ? say('appMissing') : say('openAppLead')}</p>
        <p className="cs-text">{isMissing ? say('appMissingHint') : say('openAppHint')}</p>
      </div>
      <a
        className="cs-button"
        data-look="primary"
        href={uri}
        onClick={() => {
          setMissing(false)
          setOpened(true)
        }}
      >
        {say('openApp')}
      </a>
      {isMissing && links.getWallet && (
        <a className="cs-button" data-look="secondary" href={links.getWallet} target="_blank" rel="noreferrer">
          {say('getWallet')}
        </a>
      )}
      <CopyButton text={uri} label={say('copyLink')} />
      <details className="cs-message" open={isMissing || undefined}>
        <summary>
          {say('showCode')}
          <Glyph name="chevron" size={16} />
        </summary>
        <QrCode text={uri} label={say('codeLabel')} />
      </details>
    </div>
  )
}
