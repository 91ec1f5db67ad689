import type { CountersignError } from '@countersign/react'
import { useRegisterPasskey } from '@countersign/react/account'
import { useRef } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError, isCancelled } from '../../ui/forms/describeError.ts'
import { TextField } from '../../ui/forms/Field.tsx'
import { Form } from '../../ui/forms/Form.tsx'
import { nameDevice } from '../describeDevice.ts'
import { needsStepUp } from './useConfirmation.ts'

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
          toasts.add(t('Passkey “{name}” added.', { name: passkey.name }), 'ok')
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
      title={t('Add a passkey')}
      description={t('Your device will ask for your fingerprint, face or PIN. They never leave your device.')}
    >
      <Form formRef={formRef} onSubmit={({ name = '' }) => add(name)} label={t('Add a passkey')}>
        {adding.status === 'error' && <Outcome error={adding.error} />}
        <TextField
          label={t('Name')}
          name="name"
          defaultValue={nameDevice(navigator.userAgent)}
          maxLength={80}
          autoComplete="off"
          hint={t('Helps you tell your passkeys apart.')}
        />
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button look="secondary" onClick={() => change(false)}>
            {t('Cancel')}
          </Button>
          <Button type="submit" pending={adding.status === 'pending'}>
            {t('Continue')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

function Outcome({ error }: { error: CountersignError }) {
  if (isCancelled(error)) return <Alert title={t('No passkey added.')}>{t('You can try again at any time.')}</Alert>
  return <Alert tone="danger" title={describeError(error).message} />
}
