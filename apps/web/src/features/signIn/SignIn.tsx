import {
  type CountersignError,
  isPasskeySupported,
  useClient,
  useSignInWithPasskey,
  useSignInWithPassword,
} from '@countersign/react'
import { useRequestEmailVerification } from '@countersign/react/account'
import { findLastMethod, rememberLastMethod } from '@countersign/react/sheet'
import { Fingerprint, WalletMinimal } from 'lucide-react'
import { Fragment, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { SignInTrigger } from '../../account/signIn/SignInTrigger.tsx'
import { withNext } from '../../account/signIn/safeNext.ts'
import { useInvitation } from '../../account/signIn/useInvitation.ts'
import { toastSignedIn, useSignOut } from '../../account/signIn/useSignOut.ts'
import { useConfig } from '../../config/config.ts'
import { chooseText, t, translateError } from '../../i18n/translate.ts'
import { AuthFrame } from '../../ui/AuthFrame.tsx'
import { Button } from '../../ui/Button.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError, isCancelled } from '../../ui/forms/describeError.ts'
import { type FormProblem, problemOf } from '../../ui/forms/Form.tsx'
import { PasswordField } from '../../ui/forms/PasswordField.tsx'
import { TextLink } from '../../ui/Links.tsx'
import { EmailCodeLink, OrLine, ProviderButtons } from './ProviderButtons.tsx'
import { type Attempt, describeDeletion, SignInForm } from './SignInForm.tsx'
import { useSecondStep } from './useSecondStep.ts'

export function SignIn() {
  const { appName, brand, emailCode, providers = [], signIn } = useConfig()
  const [search] = useSearchParams()
  const { signInWithPassword: logIn, status } = useSignInWithPassword()
  const { signOut } = useSignOut()
  const orSecondStep = useSecondStep()
  const client = useClient()
  const methods = useMethods()
  const isShown = {
    wallet: true,
    passkey: isPasskeySupported(),
    provider: providers.length > 0,
    emailCode: emailCode !== undefined,
    password: true,
  }
  const shown = methods.filter((method) => isShown[method])
  useInvitation()
  // Someone who types wants to sign in with the form, so its button is the filled one.
  const [isTyping, setTyping] = useState(false)

  const lookOf = (method: string) => (method === shown[0] && !isTyping ? 'primary' : 'secondary')

  const enter = ({ secret, ...attempt }: Attempt, onError: (error: CountersignError) => void) =>
    void logIn(
      // In the body: a password in an address ends up in logs and histories.
      { ...attempt, password: secret, usePost: true },
      {
        onSuccess: (user) => {
          rememberLastMethod(client, 'password')
          toastSignedIn(user, signOut)
        },
        onError: orSecondStep(onError),
      },
    )

  const buttons = {
    wallet: (
      <SignInTrigger
        key="wallet"
        only="wallets"
        look={lookOf('wallet')}
        className="w-full"
        icon={<WalletMinimal size={18} aria-hidden="true" />}
        label={t('Sign in with a wallet')}
      />
    ),
    passkey: <PasskeySignIn key="passkey" look={lookOf('passkey')} />,
    provider: <ProviderButtons key="provider" look={lookOf('provider')} />,
    emailCode: <EmailCodeLink key="emailCode" look={lookOf('emailCode')} />,
  }
  const others = shown.flatMap((method) => (method === 'password' ? [] : buttons[method]))
  const form = shown.includes('password') && (
    <SignInForm
      key="form"
      label={t('Sign in')}
      field="password"
      missing={t('Enter your password.')}
      look={isTyping ? 'primary' : lookOf('password')}
      onTyping={setTyping}
      pending={status === 'pending'}
      onSubmit={enter}
      describe={describeRefusal}
      help={({ reason }, { username }) =>
        reason === 'emailNotVerified' && username.includes('@') && <ResendButton email={username} />
      }
    >
      {(error) => (
        <PasswordField
          label={t('Password')}
          name="password"
          autoComplete="current-password"
          required
          error={error}
          aside={
            <TextLink to="/forgot" className="text-xs">
              {t('Forgot password?')}
            </TextLink>
          }
        />
      )}
    </SignInForm>
  )
  const group = others.length > 0 && (
    <div key="others" className="flex flex-col gap-3">
      {others}
    </div>
  )
  const parts = (shown[0] === 'password' ? [form, group] : [group, form]).filter((part) => part !== false)

  return (
    <AuthFrame
      title={chooseText(brand.signInTitle) ?? t('Sign in')}
      intro={t('Welcome back to {app}.', { app: appName })}
      footer={
        <>
          {signIn.signUp.mode !== 'closed' && (
            <>
              {t('New here?')}{' '}
              <TextLink to={withNext('/sign-up', search.get('next'))}>{t('Create an account')}</TextLink>
              <br />
            </>
          )}
          {t('Can’t sign in?')}{' '}
          <TextLink to={withNext('/recover', search.get('next'))} className="inline-block py-2">
            {t('Use a recovery code')}
          </TextLink>
        </>
      }
    >
      {parts.map((part, index) => (
        <Fragment key={part.key}>
          {index > 0 && <OrLine />}
          {part}
        </Fragment>
      ))}
    </AuthFrame>
  )
}

/** In the order of the server; the method that was used last in this browser comes first. */
function useMethods() {
  const client = useClient()
  const { methods } = useConfig().signIn
  return useMemo(() => {
    const last = findLastMethod(client)
    const kind = last?.startsWith('provider:') ? 'provider' : last
    // Wallets are remembered by their own names.
    const first = kind && (methods.find((method) => method === kind) ?? 'wallet')
    return [...methods].sort((a, b) => Number(b === first) - Number(a === first))
  }, [client, methods])
}

function ResendButton({ email }: { email: string }) {
  const { requestEmailVerification, status } = useRequestEmailVerification()
  const send = () =>
    void requestEmailVerification(
      { email },
      {
        onSuccess: () => toasts.add(t('Verification email sent.'), 'ok'),
        onError: (error) => toasts.add(describeError(error).message, 'danger'),
      },
    )
  return (
    <Button look="secondary" pending={status === 'pending'} onClick={send}>
      {t('Resend verification email')}
    </Button>
  )
}

function describeRefusal(error: CountersignError): FormProblem {
  if (error.reason === 'emailNotVerified') return { message: translateError(error) }
  if (error.reason === 'invalidCredentials') return { message: t('Incorrect username or password.'), focus: 'password' }
  if (error.reason === 'accountLocked' || error.reason === 'tooManyFailedSignIns')
    return { message: translateError(error), focus: 'password' }
  return problemOf(error)
}

/** Signing in without typing anything, where the browser can do it. */
function PasskeySignIn({ look }: { look: 'primary' | 'secondary' }) {
  const client = useClient()
  const passkey = useSignInWithPasskey()
  const { signOut } = useSignOut()
  const orSecondStep = useSecondStep()
  const { signInWithPasskey: autofill } = useSignInWithPasskey()
  const signIn = (restoreAccount = false) =>
    void passkey.signInWithPasskey({
      restoreAccount,
      onSuccess: (user) => {
        rememberLastMethod(client, 'passkey')
        toastSignedIn(user, signOut)
      },
      onError: orSecondStep(() => {}),
    })
  const offer = useRef((_signal: AbortSignal) => {})
  offer.current = (signal) =>
    void autofill({
      autofill: true,
      signal,
      onSuccess: (user) => {
        rememberLastMethod(client, 'passkey')
        toastSignedIn(user, signOut)
      },
      // Chosen in a field, so whatever is wrong with it shows where somebody presses the button.
      onError: orSecondStep(() => {}),
    })
  const isAsking = passkey.status === 'pending'
  useEffect(() => {
    if (isAsking) return
    const controller = new AbortController()
    offer.current(controller.signal)
    return () => controller.abort()
  }, [isAsking])
  const deletion = passkey.status === 'error' ? describeDeletion(passkey.error) : undefined
  return (
    <>
      {passkey.status === 'error' &&
        (isCancelled(passkey.error) ? (
          <Alert title={t('No passkey was used.')}>{t('Try again or sign in with your password.')}</Alert>
        ) : deletion ? (
          <Alert
            tone="danger"
            title={deletion}
            actions={
              <Button look="secondary" onClick={() => signIn(true)}>
                {t('Restore and sign in')}
              </Button>
            }
          />
        ) : (
          <Alert tone="danger" title={describeError(passkey.error).message} />
        ))}
      <Button look={look} pending={passkey.status === 'pending'} onClick={() => signIn()} className="w-full">
        <Fingerprint size={18} aria-hidden="true" />
        {t('Sign in with a passkey')}
      </Button>
    </>
  )
}
