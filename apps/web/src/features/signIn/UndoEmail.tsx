import { useRefetchUser, useSession } from '@countersign/react'
import { useUndoEmailChange } from '@countersign/react/account'
import { ShieldCheck } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { findSessionUser } from '../../account/session.ts'
import { t } from '../../i18n/translate.ts'
import { AuthFrame } from '../../ui/AuthFrame.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { Form, FormProblemAlert, problemOf, useFormProblem } from '../../ui/forms/Form.tsx'
import { IncompleteLink } from './IncompleteLink.tsx'

/** Target of the link in the mail about a changed address. */
export function UndoEmail() {
  return (
    <Undo
      says={t(
        'This restores the email address that received this link. It signs out every device and removes the password and all sign-in methods added since.',
      )}
      done={t('Email address restored and all devices signed out')}
    />
  )
}

/** Target of the link in the mail about a merged account. The server accepts both links alike. */
export function UndoMerge() {
  return (
    <Undo
      says={t(
        'Your account was merged into another one. This undoes the merge: your account returns with its wallets, passkeys and data. It signs out every device and removes the password and all sign-in methods added shortly before the merge.',
      )}
      done={t('Merge undone and all devices signed out')}
    />
  )
}

type Props = { says: string; done: string }

/** Opening the page does nothing yet: programs that check mails open links. */
function Undo({ says, done }: Props) {
  const [search] = useSearchParams()
  const token = search.get('token')
  const undo = useUndoEmailChange()
  const signedIn = findSessionUser(useSession()) !== undefined
  const { refetchUser } = useRefetchUser()
  const { formRef, problem, setProblem, secondsLeft } = useFormProblem()

  if (!token) return <IncompleteLink />

  if (undo.status === 'success')
    return (
      <AuthFrame title={t('Account recovered')}>
        <div role="status">
          <EmptyState
            icon={ShieldCheck}
            title={done}
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
        <p className="text-muted">{says}</p>
        <Button type="submit" pending={undo.status === 'pending'} disabled={secondsLeft > 0} className="w-full">
          {t('Recover account')}
        </Button>
      </Form>
    </AuthFrame>
  )
}
