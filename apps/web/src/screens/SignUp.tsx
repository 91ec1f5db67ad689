import { useSignUp } from '@countersign/react'
import { useSearchParams } from 'react-router'
import { AuthFrame } from '../components/AuthFrame.tsx'
import { Button } from '../components/Button.tsx'
import { Form } from '../components/Form.tsx'
import { FormProblemAlert } from '../components/FormProblemAlert.tsx'
import { PasswordField } from '../components/PasswordField.tsx'
import { TermsNote } from '../components/TermsNote.tsx'
import { TextField } from '../components/TextField.tsx'
import { TextLink } from '../components/TextLink.tsx'
import { newcomer } from '../lib/newcomer.ts'
import { problemOf } from '../lib/problemOf.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'
import { useConfig } from '../lib/useConfig.ts'
import { type FormProblem, useFormProblem } from '../lib/useFormProblem.ts'
import { withNext } from '../lib/withNext.ts'

export function SignUp() {
  const { appName, passwordMinLength, verifyUserEmails } = useConfig()
  const [search] = useSearchParams()
  const { signUp, status } = useSignUp()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()

  const submit = (values: Record<string, string>) => {
    const username = values.username?.trim() ?? ''
    const email = values.email?.trim() ?? ''
    const password = values.password ?? ''
    const fields: FormProblem['fields'] = {}
    if (!username) fields.username = say('Choose a user name.')
    if (email && !/^[^\s@]+@[^\s@]+$/.test(email)) fields.email = say('This is not an e-mail address.')
    if ([...password].length < passwordMinLength)
      fields.password = say('Choose at least {count} characters.', { count: passwordMinLength })
    if (Object.keys(fields).length > 0) return setProblem({ fields })
    setProblem(undefined)
    newcomer.expect(true)
    void signUp(
      { username, password, ...(email && { email }) },
      {
        onSuccess: () => toasts.add(say('Welcome, {name}. Your account is ready.', { name: username }), 'ok'),
        onError: (error) => {
          newcomer.expect(false)
          setProblem(problemOf(error))
        },
      },
    )
  }

  return (
    <AuthFrame
      title={say('Create your account')}
      intro={say('One account for everything at {app}.', { app: appName })}
      footer={
        <>
          {say('Have one already?')} <TextLink to={withNext('/sign-in', search.get('next'))}>{say('Sign in')}</TextLink>
        </>
      }
    >
      <Form formRef={formRef} onSubmit={submit} label={say('Create your account')}>
        <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
        <TextField
          label={say('User name')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={errors.username}
        />
        <TextField
          label={say('E-mail')}
          name="email"
          type="email"
          autoComplete="email"
          aside={<span className="text-xs text-muted">{say('optional')}</span>}
          hint={
            verifyUserEmails
              ? say('We send a link there to make sure that it is yours.')
              : say('So that you can get back in if you forget your password.')
          }
          error={errors.email}
        />
        <PasswordField
          label={say('Password')}
          name="password"
          autoComplete="new-password"
          minLength={passwordMinLength}
          required
          error={errors.password}
        />
        <Button type="submit" pending={status === 'pending'} disabled={secondsLeft > 0} className="mt-1 w-full">
          {say('Create account')}
        </Button>
        <TermsNote />
      </Form>
    </AuthFrame>
  )
}
