import { type CountersignError, useChangePassword, useSession } from '@countersign/react'
import { findSessionUser } from '../lib/findSessionUser.ts'
import { needsStepUp } from '../lib/needsStepUp.ts'
import { problemOf } from '../lib/problemOf.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'
import { useConfig } from '../lib/useConfig.ts'
import { type FormProblem, useFormProblem } from '../lib/useFormProblem.ts'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'
import { CardHeader } from './CardHeader.tsx'
import { Form } from './Form.tsx'
import { FormProblemAlert } from './FormProblemAlert.tsx'
import { PasswordField } from './PasswordField.tsx'

type Props = {
  /** Whoever came by wallet or passkey has none yet. */
  hasPassword: boolean
  onStepUp: (again: () => void) => void
}

export function PasswordCard({ hasPassword, onStepUp }: Props) {
  const { passwordMinLength } = useConfig()
  const user = findSessionUser(useSession())
  const { changePassword, status } = useChangePassword()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()
  const act = hasPassword ? say('Change password') : say('Add password')

  const save = (passwords: { currentPassword?: string; newPassword: string }) => {
    setProblem(undefined)
    void changePassword(passwords, {
      onSuccess: () => {
        formRef.current?.reset()
        toasts.add(
          hasPassword
            ? say('Your password is changed. All other devices are signed out.')
            : say('You have a password now. All other devices are signed out.'),
          'ok',
        )
      },
      onError: (error) => (needsStepUp(error) ? onStepUp(() => save(passwords)) : setProblem(refusal(error))),
    })
  }
  const submit = ({ currentPassword = '', newPassword = '' }: Record<string, string>) => {
    const fields: FormProblem['fields'] = {}
    if (hasPassword && !currentPassword) fields.currentPassword = say('Enter the password that you have now.')
    if ([...newPassword].length < passwordMinLength)
      fields.newPassword = say('Choose at least {count} characters.', { count: passwordMinLength })
    else if (newPassword === currentPassword) fields.newPassword = say('This is the password that you have now.')
    if (Object.keys(fields).length > 0) return setProblem({ fields })
    save(hasPassword ? { currentPassword, newPassword } : { newPassword })
  }

  return (
    <Card aria-labelledby="password">
      <CardHeader id="password" title={say('Password')}>
        {hasPassword
          ? say('Changing it signs out every other device.')
          : say('You sign in without one. Add it as another way in; your user name goes with it.')}
      </CardHeader>
      <Form formRef={formRef} onSubmit={submit} label={act} className="max-w-md">
        <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
        {/* Password managers file the new password under this name. */}
        <input hidden name="username" autoComplete="username" value={user?.username ?? ''} readOnly />
        {hasPassword && (
          <PasswordField
            label={say('Current password')}
            name="currentPassword"
            autoComplete="current-password"
            required
            error={errors.currentPassword}
          />
        )}
        <PasswordField
          label={say('New password')}
          name="newPassword"
          autoComplete="new-password"
          minLength={passwordMinLength}
          required
          error={errors.newPassword}
        />
        <Button
          type="submit"
          pending={status === 'pending'}
          disabled={secondsLeft > 0}
          className="self-stretch sm:self-start"
        >
          {act}
        </Button>
      </Form>
    </Card>
  )
}

function refusal(error: CountersignError): FormProblem {
  if (error.code !== 101) return problemOf(error, { password: 'newPassword' })
  return {
    message: say('Nothing was changed.'),
    fields: { currentPassword: say('This is not your current password.') },
  }
}
