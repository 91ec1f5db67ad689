import { type CountersignError, isPasskeySupported, useSignInWithSecondFactor } from '@countersign/react'
import { useStartTotp } from '@countersign/react/account'
import type { SecondStep as Step } from '@countersign/react/core'
import { Fingerprint } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Navigate, useLocation } from 'react-router'
import { TotpKey } from '../../account/signIn/TotpKey.tsx'
import { toastSignedIn, useSignOut } from '../../account/signIn/useSignOut.ts'
import { t } from '../../i18n/translate.ts'
import { AuthFrame } from '../../ui/AuthFrame.tsx'
import { Button } from '../../ui/Button.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { describeError } from '../../ui/forms/describeError.ts'
import { CodeField } from '../../ui/forms/Field.tsx'
import { Form, FormProblemAlert, problemOf, useFormProblem } from '../../ui/forms/Form.tsx'
import { TextLink } from '../../ui/Links.tsx'

/** The second step of a sign-in, by whatever the first one was. What the first one showed is in the history's state. */
export function SecondStep() {
  const step = useLocation().state as Step | null
  if (!step?.ticket) return <Navigate to="/sign-in" replace />
  return (
    <AuthFrame
      title={step.setUp ? t('Set up an authenticator app') : t('Second step')}
      intro={
        step.setUp
          ? t('Scan this code with your authenticator app, or enter the key. Then enter the code that the app shows.')
          : t('Enter the code from your authenticator app, or a recovery code.')
      }
      footer={<TextLink to="/sign-in">{t('Back to sign in')}</TextLink>}
    >
      {step.setUp && <NewKey ticket={step.ticket} />}
      <CodeForm step={step} />
    </AuthFrame>
  )
}

function NewKey({ ticket }: { ticket: string }) {
  const { startTotp, ...started } = useStartTotp()
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    void startTotp({ ticket }, { onError: () => {} })
  }, [startTotp, ticket])
  if (started.status === 'error') return <Alert tone="danger" title={describeError(started.error).message} />
  return started.status === 'success' ? <TotpKey {...started.data} /> : null
}

function CodeForm({ step }: { step: Step }) {
  const { signInWithSecondFactor, status } = useSignInWithSecondFactor()
  const { signOut } = useSignOut()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()
  const callbacks = {
    onSuccess: (user: Parameters<typeof toastSignedIn>[0]) => toastSignedIn(user, signOut),
    onError: (error: CountersignError) =>
      setProblem(
        error.reason === 'invalidSecondFactorCode'
          ? { fields: { code: t('The code is incorrect or was already used.') } }
          : { ...problemOf(error), focus: 'code' },
      ),
  }
  const submit = ({ code = '', remember }: Record<string, string>) => {
    if (!code.trim()) return setProblem({ fields: { code: t('Enter the code.') } })
    setProblem(undefined)
    const { ticket } = step
    void signInWithSecondFactor({ ticket, code: code.trim(), rememberDevice: remember === 'on' }, callbacks)
  }
  return (
    <Form formRef={formRef} onSubmit={submit} label={t('Second step')}>
      <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
      <CodeField error={errors.code} />
      {!step.setUp && (
        <label className="flex min-h-11 items-center gap-2.5 text-sm">
          <input type="checkbox" name="remember" className="size-4" />
          {t('Don’t ask again in this browser')}
        </label>
      )}
      <Button type="submit" pending={status === 'pending'} disabled={secondsLeft > 0} className="w-full">
        {t('Sign in')}
      </Button>
      {step.passkey && isPasskeySupported() && (
        <Button
          look="secondary"
          pending={status === 'pending'}
          onClick={() => void signInWithSecondFactor({ ticket: step.ticket, passkey: true }, callbacks)}
          className="w-full"
        >
          <Fingerprint size={18} aria-hidden="true" />
          {t('Use a passkey')}
        </Button>
      )}
    </Form>
  )
}
