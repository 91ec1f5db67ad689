import { type CountersignError, isPasskeySupported, useRefetchUser, useSession } from '@countersign/react'
import { useResetPassword } from '@countersign/react/account'
import { offersNewAccount } from '@countersign/react/sheet'
import { Fingerprint, KeyRound, Link2Off, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { findSessionUser } from '../../account/session.ts'
import { useConfig } from '../../config/config.ts'
import { t } from '../../i18n/translate.ts'
import { AuthFrame } from '../../ui/AuthFrame.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { isCancelled } from '../../ui/forms/describeError.ts'
import { CodeField } from '../../ui/forms/Field.tsx'
import { Form, type FormProblem, FormProblemAlert, problemOf, useFormProblem } from '../../ui/forms/Form.tsx'
import { PasswordField } from '../../ui/forms/PasswordField.tsx'
import { TextLink } from '../../ui/Links.tsx'
import { NewAccountChoice } from './NewAccountChoice.tsx'

export function Reset() {
  const [search] = useSearchParams()
  const token = search.get('token')
  const [done, setDone] = useState<'password' | 'account'>()

  if (!token)
    return (
      <AuthFrame title={t('This link is incomplete')}>
        <EmptyState icon={Link2Off} actions={<ButtonLink to="/forgot">{t('Request a new link')}</ButtonLink>}>
          {t('Some email apps break long links. Copy the full link from the email, or request a new one.')}
        </EmptyState>
      </AuthFrame>
    )

  if (done)
    return (
      <AuthFrame title={done === 'account' ? t('Your new account is ready') : t('Your password was changed')}>
        <div role="status">
          <EmptyState
            icon={done === 'account' ? UserPlus : KeyRound}
            actions={<ButtonLink to="/sign-in">{t('Sign in')}</ButtonLink>}
          >
            {done === 'account'
              ? t('Sign in with your email address and your new password.')
              : t('All devices have been signed out of your account.')}
          </EmptyState>
        </div>
      </AuthFrame>
    )

  return (
    <AuthFrame
      title={t('Choose a new password')}
      footer={
        <>
          {t('Link not working?')} <TextLink to="/forgot">{t('Request a new link')}</TextLink>
        </>
      }
    >
      <ResetForm token={token} onDone={setDone} />
    </AuthFrame>
  )
}

/** Goes with the link and the password. */
type Shown = { secondFactorCode?: string; passkey?: true; newAccount?: true }

type ResetFormProps = { token: string; onDone: (made: 'password' | 'account') => void }

/** Password form, with further proofs that the server requires besides the link. The typed password stays. */
function ResetForm({ token, onDone }: ResetFormProps) {
  const { passwordMinLength } = useConfig()
  const { resetPassword, status } = useResetPassword()
  const signedIn = findSessionUser(useSession()) !== undefined
  const { refetchUser } = useRefetchUser()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()
  const [factor, setFactor] = useState<{ passkey: boolean }>()
  const [hasChoice, setChoice] = useState(false)
  const isPending = status === 'pending'

  const refuse = (error: CountersignError) => {
    if (offersNewAccount(error)) setChoice(true)
    if (error.reason === 'secondFactorRequired') setFactor({ passkey: error.params?.passkey === true })
    setProblem(describeRefusal(error))
  }
  const reset = (password: string, shown: Shown) => {
    if ([...password].length < passwordMinLength)
      return setProblem({
        fields: { password: t('Use at least {count} characters.', { count: passwordMinLength }) },
      })
    setProblem(undefined)
    const onSuccess = () => {
      // Every session was ended, the one of this browser too: the page learns of it now, not with its next request.
      if (signedIn) void refetchUser({ onError: () => {} })
      onDone(shown.newAccount ? 'account' : 'password')
    }
    void resetPassword({ token, password, ...shown }, { onSuccess, onError: refuse })
  }
  const submit = ({ password = '', code = '' }: Record<string, string>) => {
    if (factor && !code.trim()) return setProblem({ fields: { code: t('Enter the code.') } })
    reset(password, factor ? { secondFactorCode: code.trim() } : {})
  }
  const resetWith = (shown: Shown) => {
    if (formRef.current) reset(String(new FormData(formRef.current).get('password') ?? ''), shown)
  }

  return (
    <Form formRef={formRef} onSubmit={submit} label={t('Choose a new password')}>
      <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
      {factor && (
        <Alert title={t('This account asks for a second factor')}>
          {t('Enter the code from your authenticator app, or a recovery code.')}
        </Alert>
      )}
      <PasswordField
        label={t('New password')}
        name="password"
        autoComplete="new-password"
        minLength={passwordMinLength}
        required
        error={errors.password}
      />
      {factor && <CodeField error={errors.code} />}
      <Button type="submit" pending={isPending} disabled={secondsLeft > 0} className="w-full">
        {t('Change password')}
      </Button>
      {factor?.passkey && isPasskeySupported() && (
        <Button look="secondary" pending={isPending} onClick={() => resetWith({ passkey: true })} className="w-full">
          <Fingerprint size={18} aria-hidden="true" />
          {t('Use a passkey')}
        </Button>
      )}
      {hasChoice && <NewAccountChoice pending={isPending} onChoose={() => resetWith({ newAccount: true })} />}
    </Form>
  )
}

function describeRefusal(error: CountersignError): FormProblem {
  if (error.reason === 'secondFactorRequired') return { focus: 'code' }
  if (error.reason === 'invalidSecondFactorCode')
    return { fields: { code: t('The code is incorrect or was already used.') } }
  if (isCancelled(error)) return { message: t('No passkey was used.') }
  return problemOf(error)
}
