import { useRefetchUser, useSession, useUndoEmailChange } from '@countersign/react'
import { Link2Off, ShieldCheck } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { findSessionUser } from '../../account/session.ts'
import { t } from '../../i18n/translate.ts'
import { AuthFrame } from '../../ui/AuthFrame.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { Form, FormProblemAlert, problemOf, useFormProblem } from '../../ui/forms/Form.tsx'

/** Where the mail about a changed address leads. Opening it does nothing yet: programs that check mails open links. */
export function UndoEmail() {
  const [search] = useSearchParams()
  const token = search.get('token')
  const undo = useUndoEmailChange()
  const signedIn = findSessionUser(useSession()) !== undefined
  const { refetchUser } = useRefetchUser()
  const { formRef, problem, setProblem, secondsLeft } = useFormProblem()

  if (!token)
    return (
      <AuthFrame title={t('This link is incomplete')}>
        <EmptyState icon={Link2Off}>
          {t('Some email apps break long links. Copy the full link from the email.')}
        </EmptyState>
      </AuthFrame>
    )

  if (undo.status === 'success')
    return (
      <AuthFrame title={t('Account recovered')}>
        <div role="status">
          <EmptyState
            icon={ShieldCheck}
            title={t('Email address restored and all devices signed out')}
            actions={
              <ButtonLink to={`/reset?token=${encodeURIComponent(undo.data)}`}>{t('Choose a new password')}</ButtonLink>
            }
          />
        </div>
      </AuthFrame>
    )

  const submit = () => {
    setProblem(undefined)
    // Every session was ended, the one of this browser too: the page learns of it now, not with its next request.
    const onSuccess = () => {
      if (signedIn) void refetchUser({ onError: () => {} })
    }
    void undo.undoEmailChange({ token }, { onSuccess, onError: (error) => setProblem(problemOf(error)) })
  }

  return (
    <AuthFrame title={t('Recover your account')}>
      <Form formRef={formRef} onSubmit={submit} label={t('Recover your account')}>
        <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
        <p className="text-muted">
          {t(
            'This restores the email address that received this link. It signs out every device and removes the password and all sign-in methods added since.',
          )}
        </p>
        <Button type="submit" pending={undo.status === 'pending'} disabled={secondsLeft > 0} className="w-full">
          {t('Recover account')}
        </Button>
      </Form>
    </AuthFrame>
  )
}
