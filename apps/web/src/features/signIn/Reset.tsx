import { useRefetchUser, useResetPassword, useSession } from '@countersign/react'
import { KeyRound, Link2Off } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { findSessionUser } from '../../account/session.ts'
import { useConfig } from '../../config/config.ts'
import { t } from '../../i18n/translate.ts'
import { AuthFrame } from '../../ui/AuthFrame.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { Form, FormProblemAlert, problemOf, useFormProblem } from '../../ui/forms/Form.tsx'
import { PasswordField } from '../../ui/forms/PasswordField.tsx'
import { TextLink } from '../../ui/Links.tsx'

export function Reset() {
  const { passwordMinLength } = useConfig()
  const [search] = useSearchParams()
  const token = search.get('token')
  const { resetPassword, status } = useResetPassword()
  const signedIn = findSessionUser(useSession()) !== undefined
  const { refetchUser } = useRefetchUser()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()

  if (!token)
    return (
      <AuthFrame title={t('This link is incomplete')}>
        <EmptyState icon={Link2Off} actions={<ButtonLink to="/forgot">{t('Request a new link')}</ButtonLink>}>
          {t('Some email apps break long links. Copy the full link from the email, or request a new one.')}
        </EmptyState>
      </AuthFrame>
    )

  if (status === 'success')
    return (
      <AuthFrame title={t('Your password was changed')}>
        <div role="status">
          <EmptyState icon={KeyRound} actions={<ButtonLink to="/sign-in">{t('Sign in')}</ButtonLink>}>
            {t('All devices have been signed out of your account.')}
          </EmptyState>
        </div>
      </AuthFrame>
    )

  const submit = ({ password = '' }: Record<string, string>) => {
    if ([...password].length < passwordMinLength)
      return setProblem({
        fields: { password: t('Use at least {count} characters.', { count: passwordMinLength }) },
      })
    setProblem(undefined)
    // Every session was ended, the one of this browser too: the page learns of it now, not with its next request.
    const onSuccess = () => {
      if (signedIn) void refetchUser({ onError: () => {} })
    }
    void resetPassword({ token, password }, { onSuccess, onError: (error) => setProblem(problemOf(error)) })
  }

  return (
    <AuthFrame
      title={t('Choose a new password')}
      footer={
        <>
          {t('Link not working?')} <TextLink to="/forgot">{t('Request a new link')}</TextLink>
        </>
      }
    >
      <Form formRef={formRef} onSubmit={submit} label={t('Choose a new password')}>
        <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
        <PasswordField
          label={t('New password')}
          name="password"
          autoComplete="new-password"
          minLength={passwordMinLength}
          required
          error={errors.password}
        />
        <Button type="submit" pending={status === 'pending'} disabled={secondsLeft > 0} className="w-full">
          {t('Change password')}
        </Button>
      </Form>
    </AuthFrame>
  )
}
