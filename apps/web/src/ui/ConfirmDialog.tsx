import { type FormEvent, type ReactNode, useState } from 'react'
import { Trans } from '../i18n/Trans.tsx'
import { t } from '../i18n/translate.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Alert } from './feedback/Alert.tsx'
import { TextField } from './forms/Field.tsx'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description: ReactNode
  confirm: string
  danger?: boolean
  pending?: boolean
  error?: string
  /** Text the user must type to enable the button. */
  typed?: string
  onConfirm: () => void
}

/** Asks once more before something that cannot be taken back. */
export function ConfirmDialog(props: Props) {
  const { open, onOpenChange, title, description, confirm, danger, pending, error, typed, onConfirm } = props
  const [text, setText] = useState('')
  const ready = typed === undefined || readWords(text) === readWords(typed)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ready && !pending) onConfirm()
  }
  const change = (next: boolean) => {
    if (!next) setText('')
    onOpenChange(next)
  }
  return (
    <Dialog open={open} onOpenChange={change} title={title} description={description}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        {error && <Alert tone="danger" title={error} />}
        {typed !== undefined && (
          <TextField
            label={
              <Trans
                text="Type {name} to confirm"
                values={{ name: <strong className="break-all text-danger">{typed}</strong> }}
              />
            }
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button look="secondary" onClick={() => change(false)}>
            {t('Cancel')}
          </Button>
          <Button type="submit" look={danger ? 'danger' : 'primary'} pending={pending} disabled={!ready}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** As it is seen: two spaces look like one, and some letters are written in two ways. */
function readWords(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/g, ' ')
}
