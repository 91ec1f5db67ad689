import { useSignInWithRecoveryCode } from '@countersign/react'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { AuthFrame } from '../components/AuthFrame.tsx'
import { Button } from '../components/Button.tsx'
import { Form } from '../components/Form.tsx'
import { FormProblemAlert } from '../components/FormProblemAlert.tsx'
import { TextField } from '../components/TextField.tsx'
import { TextLink } from '../components/TextLink.tsx'
import { describeDeletion } from '../lib/describeDeletion.ts'
import { problemOf } from '../lib/problemOf.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'
import { type FormProblem, useFormProblem } from '../lib/useFormProblem.ts'
import { withNext } from '../lib/withNext.ts'

const shape = 'xxxx-xxxx-xxxx-xxxx'

/** Sign-in for whoever has lost every other way in. */
export function Recover() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const { signInWithRecoveryCode, status } = useSignInWithRecoveryCode()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()
  const [restore, setRestore] = useState<() => void>()
  const submit = ({ username = '', code = '' }: Record<string, string>) => {
    const fields: FormProblem['fields'] = {}
    if (!username.trim()) fields.username = say('Enter your user name or e-mail address.')
    if (!code.trim()) fields.code = say('Enter one of your recovery codes.')
    if (Object.keys(fields).length > 0) return setProblem({ fields })
    enter({ username: username.trim(), code: code.trim() })
  }
  const enter = (input: { username: string; code: string; restoreAccount?: boolean }) => {
    setProblem(undefined)
    setRestore(undefined)
    void signInWithRecoveryCode(input, {
      onSuccess: () =>
        toasts.add(say('You are in. That code is spent: now add a way in that you will keep.'), 'ok', {
          label: say('Security'),
          run: () => void navigate('/account/security'),
        }),
      onError: (error) => {
        const deletion = describeDeletion(error)
        if (!deletion) return setProblem({ ...problemOf(error), focus: 'code' })
        setRestore(() => () => enter({ ...input, restoreAccount: true }))
        setProblem({ message: deletion })
      },
    })
  }
  return (
    <AuthFrame
      title={say('Use a recovery code')}
      intro={say('One of the codes that you kept when you set up your account. Each works once.')}
      footer={<TextLink to={withNext('/sign-in', search.get('next'))}>{say('Sign in another way')}</TextLink>}
    >
      <Form formRef={formRef} onSubmit={submit} label={say('Use a recovery code')}>
        <FormProblemAlert
          problem={problem}
          secondsLeft={secondsLeft}
          actions={
            restore && (
              <Button look="secondary" pending={status === 'pending'} onClick={restore}>
                {say('Restore and sign in')}
              </Button>
            )
          }
        />
        <TextField
          label={say('User name or e-mail')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={errors.username}
        />
        <TextField
          label={say('Recovery code')}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          required
          placeholder={shape}
          className="font-mono"
          error={errors.code}
        />
        <Button type="submit" pending={status === 'pending'} disabled={secondsLeft > 0} className="mt-1 w-full">
          {say('Sign in')}
        </Button>
      </Form>
    </AuthFrame>
  )
}
