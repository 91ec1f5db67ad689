import { type CountersignError, useSignInWithRecoveryCode } from '@countersign/react'
import { useNavigate, useSearchParams } from 'react-router'
import { withNext } from '../../account/signIn/safeNext.ts'
import { t } from '../../i18n/translate.ts'
import { AuthFrame } from '../../ui/AuthFrame.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { CodeField } from '../../ui/forms/Field.tsx'
import { problemOf } from '../../ui/forms/Form.tsx'
import { TextLink } from '../../ui/Links.tsx'
import { type Attempt, SignInForm } from './SignInForm.tsx'

const shape = 'xxxx-xxxx-xxxx-xxxx'

/** Sign-in for someone who has lost every other sign-in method. */
export function Recover() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const { signInWithRecoveryCode, status } = useSignInWithRecoveryCode()

  const enter = ({ secret, ...attempt }: Attempt, onError: (error: CountersignError) => void) =>
    void signInWithRecoveryCode(
      { ...attempt, code: secret },
      {
        onSuccess: () =>
          toasts.add(t('You’re signed in. That code can’t be reused, so add a new sign-in method now.'), 'ok', {
            label: t('Security'),
            run: () => void navigate('/account/security'),
          }),
        onError,
      },
    )

  return (
    <AuthFrame
      title={t('Use a recovery code')}
      intro={t('Enter one of the recovery codes you saved. Each code works once.')}
      footer={<TextLink to={withNext('/sign-in', search.get('next'))}>{t('Sign in another way')}</TextLink>}
    >
      <SignInForm
        label={t('Use a recovery code')}
        field="code"
        missing={t('Enter one of your recovery codes.')}
        pending={status === 'pending'}
        onSubmit={enter}
        describe={(error) => ({ ...problemOf(error), focus: 'code' })}
      >
        {(error) => <CodeField label={t('Recovery code')} placeholder={shape} error={error} />}
      </SignInForm>
    </AuthFrame>
  )
}
