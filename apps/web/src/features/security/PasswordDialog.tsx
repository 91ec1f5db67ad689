import { type CountersignError, useSession } from '@countersign/react'
import { useChangePassword } from '@countersign/react/account'
import { findSessionUser } from '../../account/session.ts'
import { needsStepUp } from '../../account/signIn/useConfirmation.ts'
import { useConfig } from '../../config/config.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { Form, type FormProblem, FormProblemAlert, problemOf, useFormProblem } from '../../ui/forms/Form.tsx'
import { PasswordField } from '../../ui/forms/PasswordField.tsx'

type Props = {
  /** A user who signed up with a wallet or passkey has none yet. */
  hasPassword: boolean
  open: boolean
  onOpenChange: (open: boolean) => void
  onStepUp: (again: () => void) => void
}

/** Changes the password, or adds a first one. */
export function PasswordDialog({ hasPassword, open, onOpenChange, onStepUp }: Props) {
  const { passwordMinLength } = useConfig()
  const user = findSessionUser(useSession())
  const { changePassword, status } = useChangePassword()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()
  const act = hasPassword ? t('Change password') : t('Add password')

  const save = (passwords: { currentPassword?: string; newPassword: string }) => {
    setProblem(undefined)
    void changePassword(passwords, {
      onSuccess: () => {
        onOpenChange(false)
        toasts.add(
          hasPassword
            ? t('Password changed. All other devices were signed out.')
            : t('Password added. All other devices were signed out.'),
          'ok',
        )
      },
      onError: (error) => {
        if (!needsStepUp(error)) return setProblem(refusal(error))
        onOpenChange(false)
        onStepUp(() => {
          onOpenChange(true)
          save(passwords)
        })
      },
    })
  }
  const submit = ({ currentPassword = '', newPassword = '' }: Record<string, string>) => {
    const fields: FormProblem['fields'] = {}
    if (hasPassword && !currentPassword) fields.currentPassword = t('Enter your current password.')
    if ([...newPassword].length < passwordMinLength)
      fields.newPassword = t('Use at least {count} characters.', { count: passwordMinLength })
    else if (newPassword === currentPassword)
      fields.newPassword = t('This is your current password. Choose a different one.')
    if (Object.keys(fields).length > 0) return setProblem({ fields })
    save(hasPassword ? { currentPassword, newPassword } : { newPassword })
  }

  const change = (next: boolean) => {
    setProblem(undefined)
    onOpenChange(next)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={act}
      description={
        hasPassword
          ? t('Changing your password signs out all your other devices.')
          : t('You don’t have a password yet. Add one to also sign in with your username.')
      }
    >
      <Form formRef={formRef} onSubmit={submit} label={act}>
        <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
        {/* Password managers file the new password under this name. */}
        <input hidden name="username" autoComplete="username" value={user?.username ?? ''} readOnly />
        {hasPassword && (
          <PasswordField
            label={t('Current password')}
            name="currentPassword"
            autoComplete="current-password"
            required
            error={errors.currentPassword}
          />
        )}
        <PasswordField
          label={t('New password')}
          name="newPassword"
          autoComplete="new-password"
          minLength={passwordMinLength}
          required
          error={errors.newPassword}
        />
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button look="secondary" onClick={() => change(false)}>
            {t('Cancel')}
          </Button>
          <Button type="submit" pending={status === 'pending'} disabled={secondsLeft > 0}>
            {act}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

function refusal(error: CountersignError): FormProblem {
  if (error.code !== 101) return problemOf(error, { password: 'newPassword' })
  return { fields: { currentPassword: t('Incorrect current password.') } }
}
