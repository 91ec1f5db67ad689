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
    if (!username) fields.username = 'Choose a user name.'
    if (email && !/^[^\s@]+@[^\s@]+$/.test(email)) fields.email = 'This is not an e-mail address.'
    if ([...password].length < passwordMinLength) fields.password = `Choose at least ${passwordMinLength} characters.`
    if (Object.keys(fields).length > 0) return setProblem({ fields })
    setProblem(undefined)
    newcomer.expect(true)
    void signUp(
      { username, password, ...(email && { email }) },
      {
        onSuccess: () => toasts.add(`Welcome, ${username}. Your account is ready.`, 'ok'),
        onError: (error) => {
          newcomer.expect(false)
          setProblem(problemOf(error))
        },
      },
    )
  }

  return (
    <AuthFrame
      title="Create your account"
      intro={`One account for everything at ${appName}.`}
      footer={
        <>
          Have one already? <TextLink to={withNext('/sign-in', search.get('next'))}>Sign in</TextLink>
        </>
      }
    >
      <Form formRef={formRef} onSubmit={submit} label="Create your account">
        <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
        <TextField
          label="User name"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={errors.username}
        />
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="email"
          aside={<span className="text-xs text-muted">optional</span>}
          hint={
            verifyUserEmails
              ? 'We send a link there to make sure that it is yours.'
              : 'So that you can get back in if you forget your password.'
          }
          error={errors.email}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="new-password"
          minLength={passwordMinLength}
          required
          error={errors.password}
        />
        <Button type="submit" pending={status === 'pending'} disabled={secondsLeft > 0} className="mt-1 w-full">
          Create account
        </Button>
        <TermsNote />
      </Form>
    </AuthFrame>
  )
}
