import { useRequestPasswordReset } from '@countersign/react'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { AuthFrame } from '../components/AuthFrame.tsx'
import { Button } from '../components/Button.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { Form } from '../components/Form.tsx'
import { FormProblemAlert } from '../components/FormProblemAlert.tsx'
import { OutboxNotice } from '../components/OutboxNotice.tsx'
import { Phrase } from '../components/Phrase.tsx'
import { TextField } from '../components/TextField.tsx'
import { TextLink } from '../components/TextLink.tsx'
import { problemOf } from '../lib/problemOf.ts'
import { say } from '../lib/say.ts'
import { useFormProblem } from '../lib/useFormProblem.ts'

export function Forgot() {
  const { requestPasswordReset, status, reset } = useRequestPasswordReset()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()
  const [sentTo, setSentTo] = useState('')

  const submit = (values: Record<string, string>) => {
    const email = values.email?.trim() ?? ''
    if (!/^[^\s@]+@[^\s@]+$/.test(email))
      return setProblem({ fields: { email: say('Enter the e-mail address of your account.') } })
    setProblem(undefined)
    void requestPasswordReset(
      { email },
      { onSuccess: () => setSentTo(email), onError: (error) => setProblem(problemOf(error)) },
    )
  }

  if (status === 'success')
    return (
      <AuthFrame title={say('Look at your mail')} footer={<TextLink to="/sign-in">{say('Back to sign in')}</TextLink>}>
        <div role="status">
          <EmptyState
            icon={MailCheck}
            title={say('A link is on its way')}
            actions={
              <Button look="secondary" onClick={reset}>
                {say('Use another address')}
              </Button>
            }
          >
            <Phrase
              text="If an account uses {address}, you will find a link there to choose a new password. It works once."
              values={{ address: <strong className="break-words text-ink">{sentTo}</strong> }}
            />
          </EmptyState>
        </div>
        <OutboxNotice />
      </AuthFrame>
    )

  return (
    <AuthFrame
      title={say('Forgot your password?')}
      intro={say('Tell us the e-mail address of your account and we send you a link to choose a new password.')}
      footer={<TextLink to="/sign-in">{say('Back to sign in')}</TextLink>}
    >
      <Form formRef={formRef} onSubmit={submit} label={say('Ask for a new password')}>
        <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
        <TextField label={say('E-mail')} name="email" type="email" autoComplete="email" required error={errors.email} />
        <Button type="submit" pending={status === 'pending'} disabled={secondsLeft > 0} className="w-full">
          {say('Send the link')}
        </Button>
      </Form>
    </AuthFrame>
  )
}
