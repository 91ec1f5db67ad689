'use client'

import {
  type KeyboardEvent,
  type MouseEvent,
  type SyntheticEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import type { SignInFlowState } from '../../core/signInFlow/SignInFlowState.ts'
import { getTextDirection, type Translate } from '../i18n/createFormatter.ts'
import { describePasskeyStep, describeProviderStep, describeWalletStep, type StepDescription } from './describeStep.ts'
import { EmailCodeStep } from './EmailCodeStep.tsx'
import { PasskeyStep, ProviderStep } from './PasskeyStep.tsx'
import { PasswordStep } from './PasswordStep.tsx'
import { Glyph, SheetButton, SheetHeader } from './parts.tsx'
import { type Sheet, useSheet } from './SheetContext.ts'
import { SignInMethodList } from './SignInMethodList.tsx'
import { WalletStepView } from './WalletStepView.tsx'

const quiet = { busy: false, polite: '', urgent: '' }

/** How long the last step can be seen before the sheet closes. */
const closeDelay = 700

type Props = { ended: boolean; theme: 'light' | 'dark' | undefined }

export function SheetDialog({ ended, theme }: Props) {
  const sheet = useSheet()
  const { flow, close } = sheet
  const { state } = flow
  const id = useId()
  const dialogRef = useRef<HTMLDialogElement>(null)
  const headingRef = useRef<HTMLHeadingElement>(null)
  const isLeaving = useRef(false)
  const { title, step, busy, polite, urgent } = describeState(sheet, state)

  useLayoutEffect(() => {
    const dialog = dialogRef.current
    const opener = document.activeElement
    isLeaving.current = false
    dialog?.showModal()
    headingRef.current?.focus()
    return () => {
      // Closed before it leaves the page: only then does the focus find its way back.
      isLeaving.current = true
      dialog?.close()
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new step takes the focus to its heading.
  useEffect(() => headingRef.current?.focus(), [step])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the button that had the focus may have gone with the state.
  useEffect(() => {
    if (!dialogRef.current?.contains(document.activeElement)) headingRef.current?.focus()
  }, [state])

  const isChoosing = state.status === 'choosing'
  // biome-ignore lint/correctness/useExhaustiveDependencies: wallets make themselves known one by one.
  useEffect(() => {
    if (isChoosing) flow.prepare()
  }, [isChoosing, flow.prepare, flow.rows])

  const closeRef = useRef(close)
  closeRef.current = close
  const isDone = state.status === 'done'
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => closeRef.current(), closeDelay)
    return () => clearTimeout(timer)
  }, [isDone])

  const cancel = (event: SyntheticEvent) => {
    event.preventDefault()
    if (busy) flow.reset()
    else close()
  }
  // Browsers close a dialog at the second Esc without asking.
  const closeAfterBrowser = () => {
    if (!isLeaving.current && !dialogRef.current?.open) close()
  }
  const closeOutside = (event: MouseEvent) => {
    // While a wallet asks, people click beside the sheet to bring its window forward.
    if (event.target === dialogRef.current && state.status === 'choosing') close()
  }
  return (
    <dialog
      ref={dialogRef}
      className="cs-sheet"
      lang={sheet.language}
      dir={getTextDirection(sheet.language)}
      data-theme={theme}
      data-state={state.status}
      aria-labelledby={id}
      onCancel={cancel}
      onClose={closeAfterBrowser}
      onClick={closeOutside}
      onKeyDown={(event) => dialogRef.current && moveFocus(event, dialogRef.current)}
    >
      <div className="cs-frame">
        <SheetHeader
          id={id}
          title={title}
          headingRef={headingRef}
          onBack={step === 'choosing' || isDone ? undefined : () => flow.reset()}
        />
        <Step state={state} ended={ended} />
        <p className="cs-hidden" aria-live="polite">
          {polite}
        </p>
        <p className="cs-hidden" role="alert">
          {urgent}
        </p>
      </div>
    </dialog>
  )
}

function Step({ state, ended }: { state: SignInFlowState; ended: boolean }) {
  const { flow } = useSheet()
  if ('connector' in state) return <WalletStepView state={state} />
  switch (state.status) {
    case 'choosing':
      return <SignInMethodList rows={flow.rows} ended={ended || state.ended === true} />
    case 'password':
      return <PasswordStep state={state} />
    case 'passkey':
      return <PasskeyStep state={state} />
    case 'provider':
      return <ProviderStep state={state} />
    case 'emailCode':
      return <EmailCodeStep state={state} />
    case 'deleted':
    case 'lost':
      return <RestoreStep state={state} />
    case 'done':
      return <DoneStep linked={state.linked} />
  }
}

function DoneStep({ linked }: { linked: boolean }) {
  const { say } = useSheet()
  return (
    <div className="cs-body cs-step">
      <div className="cs-hero" data-tone="done">
        <span className="cs-icon" data-size="large">
          <Glyph name="check" size={36} />
        </span>
      </div>
      <p className="cs-lead">{linked ? say('linked') : say('done')}</p>
    </div>
  )
}

/** Moves the focus among the buttons of a list: arrows, Home and End, or the first letter of a button. */
function moveFocus(event: KeyboardEvent, list: HTMLElement): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const buttons = [...list.querySelectorAll<HTMLElement>('button[data-way]')]
  const present = buttons.indexOf(list.ownerDocument.activeElement as HTMLElement)
  const target = findTarget(event.key, buttons, present)
  if (!target) return
  event.preventDefault()
  target.focus()
}

function findTarget(key: string, buttons: HTMLElement[], present: number): HTMLElement | undefined {
  const { length } = buttons
  if (length === 0) return undefined
  if (key === 'ArrowDown') return buttons[(present + 1) % length]
  if (key === 'ArrowUp') return buttons[(Math.max(present, 0) - 1 + length) % length]
  if (key === 'Home') return buttons[0]
  if (key === 'End') return buttons[length - 1]
  if (key.length !== 1 || key === ' ') return undefined
  const after = [...buttons.slice(present + 1), ...buttons.slice(0, present + 1)]
  return after.find((button) => button.dataset.way?.toLowerCase().startsWith(key.toLowerCase()))
}

type Restorable = Extract<SignInFlowState, { status: 'deleted' | 'lost' }>

function describeRestorable(say: Translate, state: Restorable) {
  if (state.status === 'deleted')
    return { lead: say('deleted', { date: new Date(state.dueAt) }), text: say('deletedHint') }
  const isMerge = state.by === 'merge'
  const date = new Date(state.until)
  return { lead: say(isMerge ? 'lostByMerge' : 'lostByUnlink'), text: say('lostHint', { date }) }
}

/** The account can still be restored for a while, and its owner is here. */
function RestoreStep({ state }: { state: Restorable }) {
  const { flow, say } = useSheet()
  const { lead, text } = describeRestorable(say, state)
  return (
    <div className="cs-body cs-step">
      <div className="cs-hero" data-tone="calm">
        <span className="cs-icon" data-size="large">
          <Glyph name="alert" size={32} />
        </span>
      </div>
      <div className="cs-status">
        <p className="cs-lead">{lead}</p>
        <p className="cs-text">{text}</p>
      </div>
      <div className="cs-actions">
        <SheetButton onClick={flow.restore}>{say('restore')}</SheetButton>
        {state.status === 'lost' && state.canStartNew && (
          <SheetButton look="secondary" onClick={flow.startNew}>
            {say('startNew')}
          </SheetButton>
        )}
        <SheetButton look="quiet" onClick={() => flow.reset()}>
          {say('otherWay')}
        </SheetButton>
      </div>
    </div>
  )
}

type StateDescription = {
  readonly title: string
  /** States of one step share the sheet's heading. */
  readonly step: 'choosing' | 'password' | 'passkey' | 'provider' | 'emailCode' | 'wallet' | 'deleted' | 'done'
  /** Something is under way that can be cancelled. */
  readonly busy: boolean
  /** Texts for screen readers: polite, and read out immediately. */
  readonly polite: string
  readonly urgent: string
}

/** Frame of the sheet for a state. */
function describeState({ say, linking, title: given }: Sheet, state: SignInFlowState): StateDescription {
  const title = given ?? (linking ? say('linkWallet') : say('signIn'))
  switch (state.status) {
    case 'choosing':
      return { ...quiet, title, step: 'choosing', polite: state.ended ? say('ended') : '' }
    case 'password':
      return { ...quiet, title: say('passwordTitle'), step: 'password', busy: state.pending }
    case 'passkey': {
      const step = describePasskeyStep(say, state, 0)
      return { ...announce(step), title: say('passkeyTitle'), step: 'passkey', busy: state.pending }
    }
    case 'provider': {
      const { label } = state.provider
      const step = describeProviderStep(say, state, 0)
      return { ...announce(step), title: say('signInWith', { name: label }), step: 'provider', busy: state.pending }
    }
    case 'emailCode':
      return {
        ...quiet,
        title: say('emailCodeTitle'),
        step: 'emailCode',
        busy: state.pending,
        polite: describeCodeStep(say, state),
      }
    case 'deleted':
    case 'lost':
      return {
        ...announce({ ...describeRestorable(say, state), tone: 'calm' }),
        title: say('deletedTitle'),
        step: 'deleted',
        busy: false,
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

function describeCodeStep(say: Translate, { sent, newAccount }: Extract<SignInFlowState, { status: 'emailCode' }>) {
  if (newAccount) return say('newAccountHint')
  return sent ? say('emailCodeSent', { address: sent.email }) : ''
}

function announce({ lead, text, tone }: Pick<StepDescription, 'lead' | 'text' | 'tone'>) {
  const announcement = text ? `${lead} ${text}` : lead
  return tone === 'error' ? { polite: '', urgent: announcement } : { polite: announcement, urgent: '' }
}
