import type { FieldRecord, WireValue } from '@countersign/protocol'
import { type FormEvent, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { inputText, readValue } from '../dataBrowser/dataValues.ts'
import { ValueField } from './ValueField.tsx'

type Props = {
  name: string
  field: FieldRecord
  value: WireValue | undefined
  onClose: () => void
  /** Resolves to true if it was saved. */
  onSave: (value: WireValue) => Promise<boolean>
}

/** One field of one object, by the editor of its type. */
export function DataEditor({ name, field, value, onClose, onSave }: Props) {
  const [text, setText] = useState(() => inputText(field.type, value))
  const [error, setError] = useState<string>()
  const [pending, setPending] = useState(false)
  const save = async (next: WireValue | undefined) => {
    if (next === undefined) return setError(t('Not a valid value of type {type}.', { type: field.type }))
    setPending(true)
    if (await onSave(next)) onClose()
    else setPending(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!pending) void save(readValue(field.type, text, field.targetClass))
  }
  const change = (next: string) => {
    setText(next)
    setError(undefined)
  }
  return (
    <Dialog open onOpenChange={onClose} title={name} isWide={field.type === 'ACL'}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <ValueField field={field} text={text} onChange={change} error={error} />
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button look="secondary" disabled={pending} onClick={() => void save({ __op: 'Delete' })}>
            {t('Clear value')}
          </Button>
          <Button type="submit" pending={pending}>
            {t('Save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
