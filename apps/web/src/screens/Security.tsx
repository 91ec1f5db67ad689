import { useChangePassword, useSession } from '@countersign/react'
import { Button } from '../components/Button.tsx'
import { Card } from '../components/Card.tsx'
import { CardHeader } from '../components/CardHeader.tsx'
import { Form } from '../components/Form.tsx'
import { FormProblemAlert } from '../components/FormProblemAlert.tsx'
import { PageHeader } from '../components/PageHeader.tsx'
import { PasskeysCard } from '../components/PasskeysCard.tsx'
import { PasswordField } from '../components/PasswordField.tsx'
import { findSessionUser } from '../lib/findSessionUser.ts'
import { problemOf } from '../lib/problemOf.ts'
import { toasts } from '../lib/toasts.ts'
import { useConfig } from '../lib/useConfig.ts'
import { type FormProblem, useFormProblem } from '../lib/useFormProblem.ts'

export function Security() {
  const { passwordMinLength } = useConfig()
  const user = findSessionUser(useSession())
  const { changePassword, status } = useChangePassword()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()

  const submit = ({ currentPassword = '', newPassword = '' }: Record<string, string>) => {
    const fields: FormProblem['fields'] = {}
    if (!currentPassword) fields.currentPassword = 'Enter the password that you have now.'
    if ([...newPassword].length < passwordMinLength)
      fields.newPassword = `Choose at least ${passwordMinLength} characters.`
    else if (newPassword === currentPassword) fields.newPassword = 'This is the password that you have now.'
    if (Object.keys(fields).length > 0) return setProblem({ fields })
    setProblem(undefined)
    void changePassword(
      { currentPassword, newPassword },
      {
        onSuccess: () => {
          formRef.current?.reset()
          toasts.add('Your password is changed. All other devices are signed out.', 'ok')
        },
        onError: (error) =>
          setProblem(
            error.code === 101
              ? { message: 'Nothing was changed.', fields: { currentPassword: 'This is not your current password.' } }
              : problemOf(error, { password: 'newPassword' }),
          ),
      },
    )
  }

  return (
    <>
      <PageHeader title="Security">How you prove that it is you.</PageHeader>
      <Card aria-labelledby="password">
        <CardHeader id="password" title="Password">
          Changing it signs out every other device.
        </CardHeader>
        <Form formRef={formRef} onSubmit={submit} label="Change password" className="max-w-md">
          <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
          {/* Password managers file the new password under this name. */}
          <input hidden name="username" autoComplete="username" value={user?.username ?? ''} readOnly />
          <PasswordField
            label="Current password"
            name="currentPassword"
            autoComplete="current-password"
            required
            error={errors.currentPassword}
          />
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
            Change password
          </Button>
        </Form>
      </Card>
      <div className="mt-6">
        <PasskeysCard />
      </div>
    </>
  )
}
