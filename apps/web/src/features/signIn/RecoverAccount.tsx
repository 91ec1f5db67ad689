import {
  type CountersignError,
  isPasskeySupported,
  useConnectors,
  useRefetchUser,
  useSession,
} from '@countersign/react'
import { useRecoverAccount } from '@countersign/react/account'
import type { RecoverAccountInput } from '@countersign/react/core'
import { Fingerprint, Link2Off, ShieldCheck, WalletMinimal } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { findSessionUser } from '../../account/session.ts'
import { useConfig } from '../../config/config.ts'
import { t } from '../../i18n/translate.ts'
import { AuthFrame } from '../../ui/AuthFrame.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { isCancelled } from '../../ui/forms/describeError.ts'
import { Form, type FormProblem, FormProblemAlert, problemOf, useFormProblem } from '../../ui/forms/Form.tsx'
import { PasswordField } from '../../ui/forms/PasswordField.tsx'

/** Target of the mail about an addition to the account. The link alone does nothing. */
export function RecoverAccount() {
  const [search] = useSearchParams()
  const token = search.get('token')
  const [isDone, setDone] = useState(false)

  if (!token)
    return (
      <AuthFrame title={t('This link is incomplete')}>
        <EmptyState icon={Link2Off}>
          {t('Some email apps break long links. Copy the full link from the email.')}
        </EmptyState>
      </AuthFrame>
    )

  if (isDone)
    return (
      <AuthFrame title={t('Account recovered')}>
        <div role="status">
          <EmptyState
            icon={ShieldCheck}
            title={t('Everything added recently was removed and all devices were signed out')}
            actions={<ButtonLink to="/sign-in">{t('Sign in')}</ButtonLink>}
          />
        </div>
      </AuthFrame>
    )

  return (
    <AuthFrame title={t('Recover your account')}>
      <RecoverForm token={token} onDone={() => setDone(true)} />
    </AuthFrame>
  )
}

type RecoverFormProps = { token: string; onDone: () => void }

/** By a password, a passkey or a wallet: the page does not know which of them the account had. */
function RecoverForm({ token, onDone }: RecoverFormProps) {
  const { passwordMinLength } = useConfig()
  const { recoverAccount, status } = useRecoverAccount()
  const wallets = useConnectors().filter(({ kind }) => kind !== 'network')
  const signedIn = findSessionUser(useSession()) !== undefined
  const { refetchUser } = useRefetchUser()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()
  const isPending = status === 'pending'

  const recover = (input: RecoverAccountInput) => {
    setProblem(undefined)
    const onSuccess = () => {
      // Every session was ended, the one of this browser too: the page learns of it now, not with its next request.
      if (signedIn) void refetchUser({ onError: () => {} })
      onDone()
    }
    void recoverAccount(input, { onSuccess, onError: (error) => setProblem(describeRefusal(error)) })
  }
  const submit = ({ password = '', newPassword = '' }: Record<string, string>) => {
    if ([...newPassword].length < passwordMinLength)
      return setProblem({
        fields: { newPassword: t('Use at least {count} characters.', { count: passwordMinLength }) },
      })
    recover({ token, password, newPassword })
  }

  return (
    <Form formRef={formRef} onSubmit={submit} label={t('Recover your account')}>
      <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
      <p className="text-muted">
        {t(
          'Use a password, wallet or passkey that your account had before. This signs out all devices and removes the password and everything added recently, including a second factor.',
        )}
      </p>
      <PasswordField
        label={t('Password you had before')}
        name="password"
        autoComplete="current-password"
        required
        error={errors.password}
      />
      <PasswordField
        label={t('New password')}
        name="newPassword"
        autoComplete="new-password"
        minLength={passwordMinLength}
        required
        error={errors.newPassword}
      />
      <Button type="submit" pending={isPending} disabled={secondsLeft > 0} className="w-full">
        {t('Recover account')}
      </Button>
      <div className="flex flex-col gap-3 border-edge border-t pt-5">
        {isPasskeySupported() && (
          <Button look="secondary" pending={isPending} onClick={() => recover({ token, passkey: true })}>
            <Fingerprint size={18} aria-hidden="true" />
            {t('Use a passkey')}
          </Button>
        )}
        {wallets.map((connector) => (
          <Button key={connector.id} look="secondary" pending={isPending} onClick={() => recover({ token, connector })}>
            <WalletMinimal size={18} aria-hidden="true" />
            {t('Use {wallet}', { wallet: connector.name })}
          </Button>
        ))}
      </div>
    </Form>
  )
}

function describeRefusal(error: CountersignError): FormProblem {
  if (error.reason === 'wrongPassword') return { fields: { password: t('The password is incorrect.') } }
  if (isCancelled(error)) return { message: t('Not confirmed.') }
  return problemOf(error)
}
