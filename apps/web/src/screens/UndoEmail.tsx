import { useUndoEmailChange } from '@countersign/react'
import { Link2Off, ShieldCheck } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { AuthFrame } from '../components/AuthFrame.tsx'
import { Button } from '../components/Button.tsx'
import { ButtonLink } from '../components/ButtonLink.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { Form } from '../components/Form.tsx'
import { FormProblemAlert } from '../components/FormProblemAlert.tsx'
import { problemOf } from '../lib/problemOf.ts'
import { say } from '../lib/say.ts'
import { useFormProblem } from '../lib/useFormProblem.ts'

/** Where the mail about a changed address leads. Opening it does nothing yet: programs that check mails open links. */
export function UndoEmail() {
  const [search] = useSearchParams()
  const token = search.get('token')
  const undo = useUndoEmailChange()
  const { formRef, problem, setProblem, secondsLeft } = useFormProblem()

  if (!token)
    return (
      <AuthFrame title={say('This link is incomplete')}>
        <EmptyState icon={Link2Off} title={say('A part of the address is missing')}>
          {say('Mail programs sometimes break long links. Copy the whole line from the mail.')}
        </EmptyState>
      </AuthFrame>
    )

  if (undo.status === 'success')
    return (
      <AuthFrame title={say('Your account is yours again')}>
        <div role="status">
          <EmptyState
            icon={ShieldCheck}
            title={say('The e-mail address is back, and everyone is signed out')}
            actions={
              <ButtonLink to={`/reset?token=${encodeURIComponent(undo.data)}`}>
                {say('Choose a new password')}
              </ButtonLink>
            }
          />
        </div>
      </AuthFrame>
    )

  const submit = () => {
    setProblem(undefined)
    void undo.undoEmailChange({ token }, { onError: (error) => setProblem(problemOf(error)) })
  }

  return (
    <AuthFrame title={say('Take your account back')}>
      <Form formRef={formRef} onSubmit={submit} label={say('Take your account back')}>
        <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
        <p className="text-muted">
          {say(
            'The e-mail address that got this link becomes the one of your account again. Every device is signed out, the password is removed, and so is everything that was added to sign in since.',
          )}
        </p>
        <Button type="submit" pending={undo.status === 'pending'} disabled={secondsLeft > 0} className="w-full">
          {say('Take it back')}
        </Button>
      </Form>
    </AuthFrame>
  )
}
