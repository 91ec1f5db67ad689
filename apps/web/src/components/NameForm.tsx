import { type User, useSaveUser } from '@countersign/react'
import { needsStepUp } from '../lib/needsStepUp.ts'
import { problemOf } from '../lib/problemOf.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'
import { useConfirmation } from '../lib/useConfirmation.ts'
import { useFormProblem } from '../lib/useFormProblem.ts'
import { Button } from './Button.tsx'
import { Form } from './Form.tsx'
import { FormProblemAlert } from './FormProblemAlert.tsx'
import { StepUpDialog } from './StepUpDialog.tsx'
import { TextField } from './TextField.tsx'

/** The name by itself, where the whole profile would be too much. */
export function NameForm({ user }: { user: User }) {
  const { saveUser, status } = useSaveUser()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()
  const { ask, dialog } = useConfirmation()
  const save = ({ username = '' }: Record<string, string>) => {
    const name = username.trim()
    if (!name) return setProblem({ fields: { username: say('A user name is needed.') } })
    setProblem(undefined)
    if (name === user.username) return toasts.add(say('That is your name already.'))
    rename(name)
  }
  const rename = (name: string) =>
    void saveUser(
      { username: name },
      {
        onSuccess: () => toasts.add(say('You are {name} now.', { name }), 'ok'),
        onError: (error) => (needsStepUp(error) ? ask(() => rename(name)) : setProblem(problemOf(error))),
      },
    )
  return (
    <>
      <Form formRef={formRef} onSubmit={save} label={say('Your name')}>
        <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
        <div className="flex flex-wrap items-end gap-3">
          <div className="min-w-0 flex-1 basis-52">
            <TextField
              label={say('User name')}
              name="username"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
              defaultValue={user.username}
              error={errors.username}
            />
          </div>
          <Button type="submit" look="secondary" pending={status === 'pending'} disabled={secondsLeft > 0}>
            {say('Save the name')}
          </Button>
        </div>
      </Form>
      <StepUpDialog {...dialog} />
    </>
  )
}
