import { type CountersignError, useLogIn, useRequestEmailVerification } from '@countersign/react'
import { WalletMinimal } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { AuthFrame } from '../components/AuthFrame.tsx'
import { Button } from '../components/Button.tsx'
import { Form } from '../components/Form.tsx'
import { FormProblemAlert } from '../components/FormProblemAlert.tsx'
import { PasskeySignIn } from '../components/PasskeySignIn.tsx'
import { PasswordField } from '../components/PasswordField.tsx'
import { SignInTrigger } from '../components/SignInTrigger.tsx'
import { TextField } from '../components/TextField.tsx'
import { TextLink } from '../components/TextLink.tsx'
import { describeDeletion } from '../lib/describeDeletion.ts'
import { describeError } from '../lib/describeError.ts'
import { problemOf } from '../lib/problemOf.ts'
import { say } from '../lib/say.ts'
import { toastSignedIn } from '../lib/toastSignedIn.ts'
import { toasts } from '../lib/toasts.ts'
import { translateError } from '../lib/translateError.ts'
import { useConfig } from '../lib/useConfig.ts'
import { type FormProblem, useFormProblem } from '../lib/useFormProblem.ts'
import { useSignOut } from '../lib/useSignOut.ts'
import { withNext } from '../lib/withNext.ts'

export function SignIn() {
  const { appName, brand } = useConfig()
  const [search] = useSearchParams()
  const { logIn, status } = useLogIn()
  const { signOut } = useSignOut()
  const { requestEmailVerification, status: mailStatus } = useRequestEmailVerification()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()
  const [unverified, setUnverified] = useState<string>()
  const [restore, setRestore] = useState<() => void>()

  const submit = ({ username = '', password = '' }: Record<string, string>) => {
    setUnverified(undefined)
    setRestore(undefined)
    const fields: FormProblem['fields'] = {}
    if (!username.trim()) fields.username = say('Enter your user name or e-mail address.')
    if (!password) fields.password = say('Enter your password.')
    if (Object.keys(fields).length > 0) return setProblem({ fields })
    enter({ username: username.trim(), password })
  }

  const enter = (input: { username: string; password: string; restoreAccount?: boolean }) => {
    const { username } = input
    setProblem(undefined)
    void logIn(
      // In the body: a password in an address ends up in logs and histories.
      { ...input, usePost: true },
      {
        onSuccess: (user) => toastSignedIn(user, signOut),
        onError: (error) => {
          const deletion = describeDeletion(error)
          if (deletion) {
            setRestore(() => () => enter({ ...input, restoreAccount: true }))
            return setProblem({ message: deletion })
          }
          if (error.reason === 'emailNotVerified' && username.includes('@')) setUnverified(username)
          setProblem(refusal(error))
        },
      },
    )
  }

  const sendMail = (email: string) =>
    void requestEmailVerification(
      { email },
      {
        onSuccess: () => toasts.add(say('A new verification mail is on its way.'), 'ok'),
        onError: (error) => toasts.add(describeError(error).message, 'danger'),
      },
    )

  return (
    <AuthFrame
      title={brand.signInTitle ?? say('Sign in')}
      intro={say('Welcome back to {app}.', { app: appName })}
      footer={
        <>
          {say('New here?')}{' '}
          <TextLink to={withNext('/sign-up', search.get('next'))}>{say('Create an account')}</TextLink>
          <br />
          {say('Lost every way in?')}{' '}
          <TextLink to={withNext('/recover', search.get('next'))} className="inline-block py-2">
            {say('Use a recovery code')}
          </TextLink>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <SignInTrigger className="w-full">
          <WalletMinimal size={18} aria-hidden="true" />
          {say('Sign in with a wallet')}
        </SignInTrigger>
        <PasskeySignIn />
      </div>
      <p className="my-5 flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {say('or')}
      </p>
      <Form formRef={formRef} onSubmit={submit} label={say('Sign in')}>
        <FormProblemAlert
          problem={problem}
          secondsLeft={secondsLeft}
          actions={
            restore ? (
              <Button look="secondary" pending={status === 'pending'} onClick={restore}>
                {say('Restore and sign in')}
              </Button>
            ) : unverified ? (
              <Button look="secondary" pending={mailStatus === 'pending'} onClick={() => sendMail(unverified)}>
                {say('Send the verification mail again')}
              </Button>
            ) : undefined
          }
        />
        <TextField
          label={say('User name or e-mail')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={errors.username}
        />
        <PasswordField
          label={say('Password')}
          name="password"
          autoComplete="current-password"
          required
          error={errors.password}
          aside={
            <TextLink to="/forgot" className="text-xs">
              {say('Forgot it?')}
            </TextLink>
          }
        />
        <Button
          type="submit"
          look="secondary"
          pending={status === 'pending'}
          disabled={secondsLeft > 0}
          className="mt-1 w-full"
        >
          {say('Sign in')}
        </Button>
      </Form>
    </AuthFrame>
  )
}

function refusal(error: CountersignError): FormProblem {
  if (error.reason === 'emailNotVerified') return { message: translateError(error) }
  if (error.reason === 'invalidCredentials') return { message: say('Wrong user name or password.'), focus: 'password' }
  if (error.reason === 'accountLocked' || error.reason === 'tooManyFailedSignIns')
    return { message: translateError(error), focus: 'password' }
  return problemOf(error)
}
