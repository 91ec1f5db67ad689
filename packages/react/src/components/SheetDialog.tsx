import { type MouseEvent, type SyntheticEvent, useEffect, useId, useLayoutEffect, useRef } from 'react'
import type { SignInFlowState } from '../core/signInFlow/SignInFlowState.ts'
import { DeletedStep } from './DeletedStep.tsx'
import { DoneStep } from './DoneStep.tsx'
import { describeState } from './describeState.ts'
import { directionOf } from './directionOf.ts'
import { moveFocus } from './moveFocus.ts'
import { PasskeyStep } from './PasskeyStep.tsx'
import { PasswordStep } from './PasswordStep.tsx'
import { useSheet } from './SheetContext.ts'
import { SheetHeader } from './SheetHeader.tsx'
import { WalletStepView } from './WalletStepView.tsx'
import { WaysInList } from './WaysInList.tsx'

/** How long the last step can be seen before the sheet closes. */
const farewell = 700

type Props = { ended: boolean; theme: 'light' | 'dark' | undefined }

export function SheetDialog({ ended, theme }: Props) {
  const sheet = useSheet()
  const { flow, say, close } = sheet
  const { state } = flow
  const id = useId()
  const dialogRef = useRef<HTMLDialogElement>(null)
  const headingRef = useRef<HTMLHeadingElement>(null)
  const isLeaving = useRef(false)
  const { title, step, busy, polite, urgent } = describeState(say, sheet.linking, state)

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

  const closeRef = useRef(close)
  closeRef.current = close
  const isDone = state.status === 'done'
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => closeRef.current(), farewell)
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
      dir={directionOf(sheet.language)}
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
      return <WaysInList rows={flow.rows} ended={ended || state.ended === true} />
    case 'password':
      return <PasswordStep state={state} />
    case 'passkey':
      return <PasskeyStep state={state} />
    case 'deleted':
      return <DeletedStep dueAt={state.dueAt} />
    case 'done':
      return <DoneStep linked={state.linked} />
  }
}
