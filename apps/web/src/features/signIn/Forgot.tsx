import { useRequestPasswordReset } from '@countersign/react/account'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { OutboxNotice } from '../../account/OutboxNotice.tsx'
import { Trans } from '../../i18n/Trans.tsx'
import { t } from '../../i18n/translate.ts'
import { AuthFrame } from '../../ui/AuthFrame.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { TextField } from '../../ui/forms/Field.tsx'
import { Form, FormProblemAlert, problemOf, useFormProblem } from '../../ui/forms/Form.tsx'
import { TextLink } from '../../ui/Links.tsx'

export function Forgot() {
  const { requestPasswordReset, status, reset } = useRequestPasswordReset()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()
  const [sentTo, setSentTo] = useState('')

  const submit = (values: Record<string, string>) => {
    const email = values.email?.trim() ?? ''
    if (!/^[^\s@]+@[^\s@]+$/.test(email))
      return setProblem({ fields: { email: t('Enter your account’s email address.') } })
    setProblem(undefined)
    void requestPasswordReset(
      { email },
      { onSuccess: () => setSentTo(email), onError: (error) => setProblem(problemOf(error)) },
    )
  }

  if (status === 'success')
    return (
      <AuthFrame title={t('Check your email')} footer={<TextLink to="/sign-in">{t('Back to sign in')}</TextLink>}>
        <div role="status">
          <EmptyState
            icon={MailCheck}
            actions={
              <Button look="secondary" onClick={reset}>
                {t('Use another address')}
              </Button>
            }
          >
            <Trans
              text="If an account exists for {address}, we’ve emailed a link to reset its password. It works once."
              values={{ address: <strong className="break-words text-ink">{sentTo}</strong> }}
            />
          </EmptyState>
        </div>
        <OutboxNotice />
      </AuthFrame>
    )

  return (
    <AuthFrame
      title={t('Forgot your password?')}
      intro={t('Enter your account’s email address and we’ll send you a link to reset your password.')}
      footer={<TextLink to="/sign-in">{t('Back to sign in')}</TextLink>}
    >
      <Form formRef={formRef} onSubmit={submit} label={t('Reset password')}>
        <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
        <TextField label={t('Email')} name="email" type="email" autoComplete="email" required error={errors.email} />
        <Button type="submit" pending={status === 'pending'} disabled={secondsLeft > 0} className="w-full">
          {t('Send link')}
        </Button>
      </Form>
    </AuthFrame>
  )
}
