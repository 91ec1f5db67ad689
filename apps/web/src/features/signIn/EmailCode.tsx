import { type CountersignError, useClient, useRequestEmailCode, useSignInWithEmailCode } from '@countersign/react'
import { offersNewAccount, rememberLastMethod } from '@countersign/react/sheet'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { OutboxNotice } from '../../account/OutboxNotice.tsx'
import { withNext } from '../../account/signIn/safeNext.ts'
import { useInvitation } from '../../account/signIn/useInvitation.ts'
import { toastSignedIn, useSignOut } from '../../account/signIn/useSignOut.ts'
import { Trans } from '../../i18n/Trans.tsx'
import { t } from '../../i18n/translate.ts'
import { AuthFrame } from '../../ui/AuthFrame.tsx'
import { Button } from '../../ui/Button.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'
import { CodeField, TextField } from '../../ui/forms/Field.tsx'
import { Form, FormProblemAlert, problemOf, useFormProblem } from '../../ui/forms/Form.tsx'
import { TextLink } from '../../ui/Links.tsx'
import { MailRefusalChoice } from './NewAccountChoice.tsx'
import { describeDeletion } from './SignInForm.tsx'
import { useSecondStep } from './useSecondStep.ts'

type Sent = { email: string; handle: string }

/** Sign-in by a code that is mailed: first the address, then the code. */
export function EmailCode() {
  const [search] = useSearchParams()
  const [sent, setSent] = useState<Sent>()
  useInvitation()
  return (
    <AuthFrame
      title={t('Sign in with a code')}
      intro={
        sent ? (
          <Trans
            text="If {address} can be used to sign in, we’ve emailed a code to it. Enter it here, in this browser."
            values={{ address: <strong className="break-words text-ink">{sent.email}</strong> }}
          />
        ) : (
          t('Enter your email address and we’ll send you a sign-in code.')
        )
      }
      footer={<TextLink to={withNext('/sign-in', search.get('next'))}>{t('Sign in another way')}</TextLink>}
    >
      {sent ? (
        <CodeForm sent={sent} onSent={setSent} onBack={() => setSent(undefined)} />
      ) : (
        <AddressForm onSent={setSent} />
      )}
    </AuthFrame>
  )
}

function AddressForm({ onSent }: { onSent: (sent: Sent) => void }) {
  const { requestEmailCode, status } = useRequestEmailCode()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()
  const submit = (values: Record<string, string>) => {
    const email = values.email?.trim() ?? ''
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) return setProblem({ fields: { email: t('Enter your email address.') } })
    setProblem(undefined)
    void requestEmailCode(
      { email },
      { onSuccess: ({ handle }) => onSent({ email, handle }), onError: (error) => setProblem(problemOf(error)) },
    )
  }
  return (
    <Form formRef={formRef} onSubmit={submit} label={t('Sign in with a code')}>
      <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
      <TextField label={t('Email')} name="email" type="email" autoComplete="email" required error={errors.email} />
      <Button type="submit" pending={status === 'pending'} disabled={secondsLeft > 0} className="w-full">
        {t('Send code')}
      </Button>
    </Form>
  )
}

type CodeFormProps = { sent: Sent; onSent: (sent: Sent) => void; onBack: () => void }

function CodeForm({ sent, onSent, onBack }: CodeFormProps) {
  const { signInWithEmailCode, status } = useSignInWithEmailCode()
  const client = useClient()
  const again = useRequestEmailCode()
  const { signOut } = useSignOut()
  const orSecondStep = useSecondStep()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()
  const [deleted, setDeleted] = useState<{ code: string }>()
  const [refused, setRefused] = useState<{ code: string; error: CountersignError }>()

  const enter = (code: string, wishes: { restoreAccount?: boolean; newAccount?: boolean } = {}) => {
    setProblem(undefined)
    setDeleted(undefined)
    setRefused(undefined)
    const refuse = (error: CountersignError) => {
      const deletion = describeDeletion(error)
      if (deletion) setDeleted({ code })
      if (offersNewAccount(error)) setRefused({ code, error })
      if (deletion) setProblem({ message: deletion })
      else if (error.reason === 'invalidEmailCode') setProblem({ fields: { code: describeError(error).message } })
      else setProblem({ ...problemOf(error), focus: 'code' })
    }
    void signInWithEmailCode(
      { handle: sent.handle, code, ...wishes },
      {
        onSuccess: (user) => {
          rememberLastMethod(client, 'emailCode')
          toastSignedIn(user, signOut)
        },
        onError: orSecondStep(refuse),
      },
    )
  }
  const submit = ({ code = '' }: Record<string, string>) =>
    code.trim() ? enter(code.trim()) : setProblem({ fields: { code: t('Enter the code from the email.') } })
  const sendAgain = () =>
    void again.requestEmailCode(
      { email: sent.email },
      {
        onSuccess: ({ handle }) => {
          setProblem(undefined)
          onSent({ email: sent.email, handle })
          toasts.add(t('New code sent.'), 'ok')
        },
        onError: (error) => toasts.add(describeError(error).message, 'danger'),
      },
    )

  return (
    <>
      <Form formRef={formRef} onSubmit={submit} label={t('Sign in with a code')}>
        <FormProblemAlert
          problem={problem}
          secondsLeft={secondsLeft}
          actions={
            deleted && (
              <Button
                look="secondary"
                pending={status === 'pending'}
                onClick={() => enter(deleted.code, { restoreAccount: true })}
              >
                {t('Restore and sign in')}
              </Button>
            )
          }
        />
        <CodeField autoFocus error={errors.code} />
        <Button type="submit" pending={status === 'pending'} disabled={secondsLeft > 0} className="w-full">
          {t('Sign in')}
        </Button>
        {refused && (
          <MailRefusalChoice
            error={refused.error}
            pending={status === 'pending'}
            onChoose={() => enter(refused.code, { newAccount: true })}
          />
        )}
      </Form>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button look="secondary" pending={again.status === 'pending'} onClick={sendAgain} className="flex-1">
          {t('Send a new code')}
        </Button>
        <Button look="secondary" onClick={onBack} className="flex-1">
          {t('Use another address')}
        </Button>
      </div>
      <OutboxNotice />
    </>
  )
}
