import { type Confirmation, isPasskeySupported, useStepUp, useWaysIn } from '@countersign/react'
import { KeyRound } from 'lucide-react'
import { useRef } from 'react'
import { describeError } from '../lib/describeError.ts'
import { isCancelled } from '../lib/isCancelled.ts'
import { say } from '../lib/say.ts'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { Form } from './Form.tsx'
import { PasswordField } from './PasswordField.tsx'
import { Skeleton } from './Skeleton.tsx'
import { StepUpWallets } from './StepUpWallets.tsx'

/** By the password, by a passkey or by a wallet, whichever the account has. */
export function StepUpForm({ onConfirmed }: { onConfirmed: (confirmation: Confirmation) => void }) {
  const formRef = useRef<HTMLFormElement>(null)
  const waysIn = useWaysIn()
  const { stepUp, ...confirming } = useStepUp()
  const pending = confirming.status === 'pending'
  if (waysIn.status === 'pending')
    return (
      <div role="status" aria-label={say('Loading…')} className="animate-wait">
        <Skeleton className="h-11" />
      </div>
    )
  const known = waysIn.data
  const hasPassword = known?.password !== false
  const hasPasskey = (known?.passkeys.length ?? 0) > 0 && isPasskeySupported()
  const callbacks = { onSuccess: onConfirmed, onError: () => {} }
  return (
    <div className="flex flex-col gap-5">
      {confirming.status === 'error' &&
        (isCancelled(confirming.error) ? (
          <Alert title={say('Not confirmed.')}>{say('You can try again whenever you like.')}</Alert>
        ) : (
          <Alert tone="danger" title={describeError(confirming.error).message} />
        ))}
      {hasPassword && (
        <Form
          formRef={formRef}
          onSubmit={({ password = '' }) => void (pending || stepUp({ password }, callbacks))}
          label={say('Confirm with your password')}
        >
          <PasswordField label={say('Password')} name="password" autoComplete="current-password" required />
          <Button type="submit" pending={pending}>
            {say('Confirm')}
          </Button>
        </Form>
      )}
      {hasPasskey && (
        <Button
          look={hasPassword ? 'secondary' : 'primary'}
          pending={pending}
          onClick={() => void stepUp({ passkey: true }, callbacks)}
        >
          <KeyRound size={18} aria-hidden="true" />
          {say('Confirm with a passkey')}
        </Button>
      )}
      {known && known.wallets.length > 0 && (
        <StepUpWallets
          wallets={known.wallets}
          isFirst={!hasPassword && !hasPasskey}
          pending={pending}
          onPick={(input) => void stepUp(input, callbacks)}
        />
      )}
    </div>
  )
}
