import { useSignInWithEmailLink } from '@countersign/react'
import { offersNewAccount } from '@countersign/react/sheet'
import { useSearchParams } from 'react-router'
import { toastSignedIn, useSignOut } from '../../account/signIn/useSignOut.ts'
import { t } from '../../i18n/translate.ts'
import { AuthFrame } from '../../ui/AuthFrame.tsx'
import { Button } from '../../ui/Button.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { describeError } from '../../ui/forms/describeError.ts'
import { TextLink } from '../../ui/Links.tsx'
import { IncompleteLink } from './IncompleteLink.tsx'
import { MailRefusalChoice } from './NewAccountChoice.tsx'
import { describeDeletion } from './SignInForm.tsx'
import { useSecondStep } from './useSecondStep.ts'

/** The link of a mail leads here. It is used up by a press alone: mail programs open links, too. */
export function EmailLink() {
  const [search] = useSearchParams()
  const token = search.get('token')
  const { signInWithEmailLink, ...signingIn } = useSignInWithEmailLink()
  const { signOut } = useSignOut()
  const orSecondStep = useSecondStep()
  if (!token) return <IncompleteLink />
  const enter = (wishes: { restoreAccount?: boolean; newAccount?: boolean } = {}) =>
    void signInWithEmailLink(
      { token, ...wishes },
      { onSuccess: (user) => toastSignedIn(user, signOut), onError: orSecondStep(() => {}) },
    )
  const error = signingIn.status === 'error' ? signingIn.error : undefined
  const deletion = error && describeDeletion(error)
  return (
    <AuthFrame
      title={t('Continue signing in')}
      intro={t('You opened a sign-in link from an email. Continue only if you requested it in this browser.')}
      footer={<TextLink to="/sign-in/code">{t('Send a new code')}</TextLink>}
    >
      <div className="flex flex-col gap-4">
        {error && (
          <Alert
            tone="danger"
            title={deletion ?? describeError(error).message}
            actions={
              deletion && (
                <Button look="secondary" onClick={() => enter({ restoreAccount: true })}>
                  {t('Restore and sign in')}
                </Button>
              )
            }
          />
        )}
        {error && offersNewAccount(error) ? (
          <MailRefusalChoice error={error} pending={false} onChoose={() => enter({ newAccount: true })} />
        ) : (
          <Button pending={signingIn.status === 'pending'} onClick={() => enter()} className="w-full">
            {t('Sign in')}
          </Button>
        )}
      </div>
    </AuthFrame>
  )
}
