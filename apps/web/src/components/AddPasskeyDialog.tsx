import { type CountersignError, useRegisterPasskey } from '@countersign/react'
import { useRef } from 'react'
import { describeError } from '../lib/describeError.ts'
import { isCancelled } from '../lib/isCancelled.ts'
import { nameDevice } from '../lib/nameDevice.ts'
import { needsStepUp } from '../lib/needsStepUp.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Form } from './Form.tsx'
import { TextField } from './TextField.tsx'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The server wants a proof first; `again` goes on after it. */
  onStepUp: (again: () => void) => void
}

/** Asks for a name; the rest is between the person and the device. */
export function AddPasskeyDialog({ open, onOpenChange, onStepUp }: Props) {
  const formRef = useRef<HTMLFormElement>(null)
  const { registerPasskey, reset, ...adding } = useRegisterPasskey()
  const change = (next: boolean) => {
    reset()
    onOpenChange(next)
  }
  const add = (name: string) =>
    void registerPasskey(
      { name },
      {
        onSuccess: (passkey) => {
          change(false)
          toasts.add(say('The passkey “{name}” is added.', { name: passkey.name }), 'ok')
        },
        onError: (error) => {
          if (!needsStepUp(error)) return
          change(false)
          onStepUp(() => {
            onOpenChange(true)
            add(name)
          })
        },
      },
    )
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={say('Add a passkey')}
      description={say('Your device will ask for your fingerprint, your face or a PIN. None of them leaves it.')}
    >
      <Form formRef={formRef} onSubmit={({ name = '' }) => add(name)} label={say('Add a passkey')}>
        {adding.status === 'error' && <Outcome error={adding.error} />}
        <TextField
          label={say('Name')}
          name="name"
          defaultValue={nameDevice(navigator.userAgent)}
          maxLength={80}
          autoComplete="off"
          hint={say('To tell it from your other passkeys.')}
        />
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button look="secondary" onClick={() => change(false)}>
            {say('Cancel')}
          </Button>
          <Button type="submit" pending={adding.status === 'pending'}>
            {say('Go on')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

function Outcome({ error }: { error: CountersignError }) {
  if (isCancelled(error))
    return <Alert title={say('No passkey was added.')}>{say('You can try again whenever you like.')}</Alert>
  return <Alert tone="danger" title={describeError(error).message} />
}
