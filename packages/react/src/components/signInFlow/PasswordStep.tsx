'use client'

import { type ComponentProps, type FormEvent, type MouseEvent, useId, useState } from 'react'
import type { SignInFlowState } from '../../core/signInFlow/SignInFlowState.ts'
import { describeProblem } from './describeStep.ts'
import { Glyph, Notice, SheetButton } from './parts.tsx'
import { useSecondsLeft, useSheet } from './SheetContext.ts'

type Props = { state: Extract<SignInFlowState, { status: 'password' }> }
type Missing = 'username' | 'password'

export function PasswordStep({ state }: Props) {
  const { flow, say, links } = useSheet()
  const id = useId()
  const [isShown, setShown] = useState(false)
  const [missing, setMissing] = useState<Missing>()
  const seconds = useSecondsLeft(state.until)

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const username = String(fields.get('username') ?? '').trim()
    const password = String(fields.get('password') ?? '')
    const lacking: Missing | undefined = !username ? 'username' : !password ? 'password' : undefined
    setMissing(lacking)
    if (lacking) event.currentTarget.querySelector<HTMLElement>(`[name=${lacking}]`)?.focus()
    else if (!state.pending && seconds === 0) flow.signInWithPassword({ username, password })
  }
  const describe = (name: Missing) =>
    missing === name ? { 'aria-invalid': true, 'aria-describedby': `${id}-error` } : {}

  return (
    <form className="cs-body cs-form" noValidate onSubmit={submit}>
      {state.error && <Notice tone="error">{describeProblem(say, state.error, seconds)}</Notice>}
      <div className="cs-field">
        <label htmlFor={`${id}-username`}>{say('username')}</label>
        <input
          {...describe('username')}
          id={`${id}-username`}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        {missing === 'username' && <FieldError id={id} text={say('usernameMissing')} />}
      </div>
      <div className="cs-field">
        <div className="cs-label">
          <label htmlFor={`${id}-password`}>{say('passwordLabel')}</label>
          {links.forgot && (
            <SheetLink className="cs-link" href={links.forgot}>
              {say('forgot')}
            </SheetLink>
          )}
        </div>
        <div className="cs-secret">
          <input
            {...describe('password')}
            id={`${id}-password`}
            name="password"
            type={isShown ? 'text' : 'password'}
            autoComplete="current-password"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
          <button
            type="button"
            className="cs-plain"
            aria-pressed={isShown}
            aria-label={isShown ? say('hidePassword') : say('showPassword')}
            onClick={() => setShown(!isShown)}
          >
            <Glyph name={isShown ? 'hide' : 'show'} />
          </button>
        </div>
        {missing === 'password' && <FieldError id={id} text={say('passwordMissing')} />}
      </div>
      <SheetButton type="submit" pending={state.pending} disabled={seconds > 0}>
        {say('signIn')}
      </SheetButton>
      {links.signUp && (
        <SheetLink className="cs-button" data-look="quiet" href={links.signUp}>
          {say('signUp')}
        </SheetLink>
      )}
    </form>
  )
}

function FieldError({ id, text }: { id: string; text: string }) {
  return (
    <p id={`${id}-error`} className="cs-error" role="alert">
      {text}
    </p>
  )
}

/** A link to another page of the application, which may take it over (`onNavigate`). */
function SheetLink({ href, ...rest }: ComponentProps<'a'> & { href: string }) {
  const { close, onNavigate } = useSheet()
  const follow = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!onNavigate || !isPlain) return
    event.preventDefault()
    close()
    onNavigate(href)
  }
  return <a {...rest} href={href} onClick={follow} />
}
