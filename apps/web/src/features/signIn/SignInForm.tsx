import type { CountersignError } from '@countersign/react'
import { type ReactNode, useState } from 'react'
import { formatDate } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Button, type ButtonProps } from '../../ui/Button.tsx'
import { TextField } from '../../ui/forms/Field.tsx'
import { Form, type FormProblem, FormProblemAlert, useFormProblem } from '../../ui/forms/Form.tsx'

export type Attempt = { username: string; secret: string; restoreAccount?: boolean }

type Props = {
  label: string
  /** The name of the field that `children` draws below the user name. */
  field: 'password' | 'code'
  missing: string
  look?: ButtonProps['look']
  /** Called with true if a field has text. */
  onTyping?: (isTyping: boolean) => void
  pending: boolean
  onSubmit: (attempt: Attempt, onError: (error: CountersignError) => void) => void
  describe: (error: CountersignError) => FormProblem
  /** Help for a refusal. */
  help?: (error: CountersignError, attempt: Attempt) => ReactNode
  children: (error: string | undefined) => ReactNode
}

/** User name and one secret. An account that is to be deleted is offered to be restored. */
export function SignInForm({
  label,
  field,
  missing,
  look,
  onTyping,
  pending,
  onSubmit,
  describe,
  help,
  children,
}: Props) {
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()
  const [refused, setRefused] = useState<{ error: CountersignError; attempt: Attempt }>()

  const submit = (values: Record<string, string>) => {
    const username = values.username?.trim() ?? ''
    const typed = values[field] ?? ''
    // Codes are copied with what stands around them; a password may begin or end with a space.
    const secret = field === 'code' ? typed.trim() : typed
    setRefused(undefined)
    const fields: FormProblem['fields'] = {}
    if (!username) fields.username = t('Enter your username or email address.')
    if (!secret) fields[field] = missing
    if (Object.keys(fields).length > 0) return setProblem({ fields })
    enter({ username, secret })
  }

  const enter = (attempt: Attempt) => {
    setProblem(undefined)
    onSubmit(attempt, (error) => {
      const deletion = describeDeletion(error)
      setRefused({ error, attempt })
      setProblem(deletion ? { message: deletion } : describe(error))
    })
  }

  return (
    <Form formRef={formRef} onSubmit={submit} label={label} {...(onTyping && { onTyping })}>
      <FormProblemAlert
        problem={problem}
        secondsLeft={secondsLeft}
        actions={
          refused &&
          (describeDeletion(refused.error) ? (
            <Button
              look="secondary"
              pending={pending}
              onClick={() => enter({ ...refused.attempt, restoreAccount: true })}
            >
              {t('Restore and sign in')}
            </Button>
          ) : (
            help?.(refused.error, refused.attempt)
          ))
        }
      />
      <TextField
        label={t('Username or email')}
        name="username"
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={errors.username}
      />
      {children(errors[field])}
      <Button type="submit" look={look} pending={pending} disabled={secondsLeft > 0} className="mt-1 w-full">
        {t('Sign in')}
      </Button>
    </Form>
  )
}

/** Explains a refused sign-in to an account that is to be deleted or was merged; `undefined` for any other reason. */
export function describeDeletion({ reason, params }: CountersignError): string | undefined {
  if (reason !== 'accountDeletionPending' && reason !== 'accountMerged') return undefined
  const date = formatDate(new Date(String(params?.time)))
  if (reason === 'accountMerged')
    return t('This account was merged into another one. You can restore it until {date}.', { date })
  return t('This account will be deleted on {date}. Restore it?', { date })
}
