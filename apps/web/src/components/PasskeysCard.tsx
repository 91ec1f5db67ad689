import { isPasskeySupported, type Passkey, usePasskeys, useRemovePasskey } from '@countersign/react'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { describeError } from '../lib/describeError.ts'
import { needsStepUp } from '../lib/needsStepUp.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'
import { useKeepFocus } from '../lib/useKeepFocus.ts'
import { AddPasskeyDialog } from './AddPasskeyDialog.tsx'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'
import { CardHeader } from './CardHeader.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { EmptyState } from './EmptyState.tsx'
import { LoadFailure } from './LoadFailure.tsx'
import { PasskeyRow } from './PasskeyRow.tsx'
import { RowsSkeleton } from './RowsSkeleton.tsx'
import { StepUpDialog } from './StepUpDialog.tsx'

export function PasskeysCard() {
  const passkeys = usePasskeys()
  const { removePasskey, status } = useRemovePasskey()
  const [isAdding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<Passkey>()
  const [error, setError] = useState<string>()
  const [waiting, setWaiting] = useState<{ goOn: () => void }>()
  const isSupported = isPasskeySupported()
  const { data } = passkeys
  const count = data?.length ?? 0
  useKeepFocus(data && count)

  const askFor = (passkey: Passkey | undefined) => {
    setError(undefined)
    setLeaving(passkey)
  }
  const remove = (passkey: Passkey) => {
    setError(undefined)
    void removePasskey(
      { objectId: passkey.objectId },
      {
        onSuccess: () => {
          askFor(undefined)
          toasts.add(say('The passkey “{name}” is removed.', { name: passkey.name }), 'ok')
        },
        onError: (refusal) => {
          if (!needsStepUp(refusal)) return setError(describeError(refusal).message)
          askFor(undefined)
          setWaiting({
            goOn: () => {
              askFor(passkey)
              remove(passkey)
            },
          })
        },
      },
    )
  }

  return (
    <Card aria-labelledby="passkeys">
      <CardHeader
        id="passkeys"
        title={say('Passkeys')}
        aside={isSupported && count > 0 && <Button onClick={() => setAdding(true)}>{say('Add a passkey')}</Button>}
      >
        {say(
          'Sign in with your fingerprint, your face or a PIN instead of a password. A passkey works on this site alone, so no other site can ask it from you.',
        )}
      </CardHeader>
      {passkeys.status === 'pending' && <RowsSkeleton label={say('Loading your passkeys…')} bare rows={1} />}
      {passkeys.status === 'error' && (
        <LoadFailure
          title={say('Your passkeys could not be loaded')}
          error={passkeys.error}
          onRetry={() => void passkeys.refetch()}
        />
      )}
      {data && count === 0 && (
        <EmptyState
          icon={KeyRound}
          title={isSupported ? say('No passkey yet') : say('Not in this browser')}
          actions={isSupported && <Button onClick={() => setAdding(true)}>{say('Add a passkey')}</Button>}
        >
          {isSupported
            ? say('Add one for each device that you use.')
            : say('This browser, or the address of this page, does not offer passkeys.')}
        </EmptyState>
      )}
      {data && count > 0 && (
        <ul className="-my-5 divide-y divide-line">
          {data.map((passkey) => (
            <PasskeyRow key={passkey.objectId} passkey={passkey} onRemove={() => askFor(passkey)} />
          ))}
        </ul>
      )}
      <AddPasskeyDialog open={isAdding} onOpenChange={setAdding} onStepUp={(goOn) => setWaiting({ goOn })} />
      <ConfirmDialog
        open={leaving !== undefined}
        onOpenChange={() => askFor(undefined)}
        title={say('Remove this passkey?')}
        description={say('“{name}” will not open your account any more. Delete it on your device as well.', {
          name: leaving?.name ?? '',
        })}
        confirm={say('Remove')}
        danger
        pending={status === 'pending'}
        error={error}
        onConfirm={() => leaving && remove(leaving)}
      />
      <StepUpDialog
        open={waiting !== undefined}
        onOpenChange={() => setWaiting(undefined)}
        onConfirmed={() => {
          setWaiting(undefined)
          waiting?.goOn()
        }}
      />
    </Card>
  )
}
