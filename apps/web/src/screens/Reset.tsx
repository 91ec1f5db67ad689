import { useResetPassword } from '@countersign/react'
import { KeyRound, Link2Off } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { AuthFrame } from '../components/AuthFrame.tsx'
import { Button } from '../components/Button.tsx'
import { ButtonLink } from '../components/ButtonLink.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { Form } from '../components/Form.tsx'
import { FormProblemAlert } from '../components/FormProblemAlert.tsx'
import { PasswordField } from '../components/PasswordField.tsx'
import { TextLink } from '../components/TextLink.tsx'
import { problemOf } from '../lib/problemOf.ts'
import { say } from '../lib/say.ts'
import { useConfig } from '../lib/useConfig.ts'
import { useFormProblem } from '../lib/useFormProblem.ts'

export function Reset() {
  const { passwordMinLength } = useConfig()
  const [search] = useSearchParams()
  const token = search.get('token')
  const { resetPassword, status } = useResetPassword()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()

  if (!token)
    return (
      <AuthFrame title={say('This link is incomplete')}>
        <EmptyState
          icon={Link2Off}
          title={say('A part of the address is missing')}
          actions={<ButtonLink to="/forgot">{say('Ask for a new link')}</ButtonLink>}
        >
          {say('Mail programs sometimes break long links. Copy the whole line from the mail, or ask for a new one.')}
        </EmptyState>
      </AuthFrame>
    )

  if (status === 'success')
    return (
      <AuthFrame title={say('Your password is changed')}>
        <div role="status">
          <EmptyState
            icon={KeyRound}
            title={say('You can sign in with it now')}
            actions={<ButtonLink to="/sign-in">{say('Sign in')}</ButtonLink>}
          >
            {say('Every device that was signed in to your account has been signed out.')}
          </EmptyState>
        </div>
      </AuthFrame>
    )

  const submit = ({ password = '' }: Record<string, string>) => {
    if ([...password].length < passwordMinLength)
      return setProblem({
        fields: { password: say('Choose at least {count} characters.', { count: passwordMinLength }) },
      })
    setProblem(undefined)
    void resetPassword({ token, password }, { onError: (error) => setProblem(problemOf(error)) })
  }

  return (
    <AuthFrame
      title={say('Choose a new password')}
      footer={
        <>
          {say('The link does not work?')} <TextLink to="/forgot">{say('Ask for a new link')}</TextLink>
        </>
      }
    >
      <Form formRef={formRef} onSubmit={submit} label={say('Choose a new password')}>
        <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
        <PasswordField
          label={say('New password')}
          name="password"
          autoComplete="new-password"
          minLength={passwordMinLength}
          required
          error={errors.password}
        />
        <Button type="submit" pending={status === 'pending'} disabled={secondsLeft > 0} className="w-full">
          {say('Change password')}
        </Button>
      </Form>
    </AuthFrame>
  )
}
