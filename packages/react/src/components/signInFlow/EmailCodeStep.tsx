'use client'

import { type FormEvent, useId, useState } from 'react'
import type { SignInFlowState } from '../../core/signInFlow/SignInFlowState.ts'
import { describeProblem } from './describeStep.ts'
import { Notice, SheetButton } from './parts.tsx'
import { useSecondsLeft, useSheet } from './SheetContext.ts'

type Props = { state: Extract<SignInFlowState, { status: 'emailCode' }> }

/** The address first, then the code that was mailed to it. */
export function EmailCodeStep({ state }: Props) {
  const { flow, say } = useSheet()
  const id = useId()
  const [isMissing, setMissing] = useState(false)
  const seconds = useSecondsLeft(state.until)
  const { sent, pending, newAccount } = state
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('typed') ?? '').trim()
    setMissing(!typed)
    if (!typed) event.currentTarget.querySelector<HTMLElement>('[name=typed]')?.focus()
    else if (!pending && seconds === 0) (sent ? flow.signInWithEmailCode : flow.requestEmailCode)(typed)
  }
  return (
    <form className="cs-body cs-form" noValidate onSubmit={submit}>
      {state.error && <Notice tone="error">{describeProblem(say, state.error, seconds)}</Notice>}
      {sent && <p className="cs-text">{say('emailCodeSent', { address: sent.email })}</p>}
      <div className="cs-field">
        <label htmlFor={id}>{sent ? say('code') : say('email')}</label>
        <input
          // Another field, not the same with another value.
          key={sent ? 'code' : 'email'}
          id={id}
          name="typed"
          {...(sent
            ? { autoComplete: 'one-time-code', autoCapitalize: 'none', autoFocus: true }
            : { type: 'email', autoComplete: 'email' })}
          {...(isMissing && { 'aria-invalid': true, 'aria-describedby': `${id}-error` })}
          spellCheck={false}
          required
        />
        {isMissing && (
          <p id={`${id}-error`} className="cs-error" role="alert">
            {sent ? say('codeMissing') : say('emailMissing')}
          </p>
        )}
      </div>
      <SheetButton type="submit" pending={pending} disabled={seconds > 0}>
        {sent ? say('signIn') : say('sendCode')}
      </SheetButton>
      {newAccount?.secondStep && (
        <SheetButton look="secondary" pending={pending} onClick={flow.showSecondFactor}>
          {say('useSecondFactor')}
        </SheetButton>
      )}
      {newAccount && (
        <>
          <p id={`${id}-new`} className="cs-text">
            {say('newAccountHint')}
          </p>
          <SheetButton look="secondary" pending={pending} aria-describedby={`${id}-new`} onClick={flow.startNew}>
            {say('newAccount')}
          </SheetButton>
        </>
      )}
      {sent && (
        <SheetButton look="quiet" onClick={flow.openEmailCode}>
          {say('otherAddress')}
        </SheetButton>
      )}
    </form>
  )
}
