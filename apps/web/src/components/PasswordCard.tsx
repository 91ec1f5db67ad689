import { type CountersignError, useChangePassword, useSession } from '@countersign/react'
import { findSessionUser } from '../lib/findSessionUser.ts'
import { needsStepUp } from '../lib/needsStepUp.ts'
import { problemOf } from '../lib/problemOf.ts'
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
  const act = hasPassword ? 'Change password' : 'Add password'

  const save = (passwords: { currentPassword?: string; newPassword: string }) => {
    setProblem(undefined)
    void changePassword(passwords, {
      onSuccess: () => {
        formRef.current?.reset()
        const done = hasPassword ? 'Your password is changed.' : 'You have a password now.'
        toasts.add(`${done} All other devices are signed out.`, 'ok')
      },
      onError: (error) => (needsStepUp(error) ? onStepUp(() => save(passwords)) : setProblem(refusal(error))),
    })
  }
  const submit = ({ currentPassword = '', newPassword = '' }: Record<string, string>) => {
    const fields: FormProblem['fields'] = {}
    if (hasPassword && !currentPassword) fields.currentPassword = 'Enter the password that you have now.'
    if ([...newPassword].length < passwordMinLength)
      fields.newPassword = `Choose at least ${passwordMinLength} characters.`
    else if (newPassword === currentPassword) fields.newPassword = 'This is the password that you have now.'
    if (Object.keys(fields).length > 0) return setProblem({ fields })
    save(hasPassword ? { currentPassword, newPassword } : { newPassword })
  }

  return (
    <Card aria-labelledby="password">
      <CardHeader id="password" title="Password">
        {hasPassword
          ? 'Changing it signs out every other device.'
          : 'You sign in without one. Add it as another way in; your user name goes with it.'}
      </CardHeader>
      <Form formRef={formRef} onSubmit={submit} label={act} className="max-w-md">
        <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
        {/* Password managers file the new password under this name. */}
        <input hidden name="username" autoComplete="username" value={user?.username ?? ''} readOnly />
        {hasPassword && (
          <PasswordField
            label="Current password"
            name="currentPassword"
            autoComplete="current-password"
            required
            error={errors.currentPassword}
          />
        )}
        <PasswordField
          label="New password"
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
  return { message: 'Nothing was changed.', fields: { currentPassword: 'This is not your current password.' } }
}
