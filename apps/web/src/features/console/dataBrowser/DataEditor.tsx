import type { FieldRecord, WireValue } from '@countersign/protocol'
import { type FormEvent, useId, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { describedBy, FieldFrame, inputClass, SelectField, TextField } from '../../../ui/forms/Field.tsx'
import { isJson, readValue, textOf } from './dataValues.ts'
import { ObjectPicker } from './ObjectPicker.tsx'

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
  const [text, setText] = useState(() => textOf(field.type, value))
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
  const label = field.targetClass ? `${field.type} <${field.targetClass}>` : field.type
  const shared = { label, ...(error && { error }) }
  return (
    <Dialog open onOpenChange={onClose} title={name}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        {field.type === 'Boolean' ? (
          <SelectField
            label={label}
            value={text}
            onChange={setText}
            options={[
              ['', t('No value')],
              ['true', 'true'],
              ['false', 'false'],
            ]}
          />
        ) : field.type === 'String' || isJson(field.type) ? (
          <LongText {...shared} text={text} onChange={setText} isCode={field.type !== 'String'} />
        ) : (
          <TextField
            {...shared}
            value={text}
            onChange={(event) => setText(event.target.value)}
            dir="ltr"
            inputMode={field.type === 'Number' ? 'decimal' : 'text'}
            hint={hints[field.type]}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        {field.type === 'Pointer' && field.targetClass && (
          <ObjectPicker className={field.targetClass} label={t('Find an object')} onPick={setText} />
        )}
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button look="secondary" onClick={() => void save({ __op: 'Delete' })}>
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

const hints: { [type: string]: string } = { Date: '2031-01-31T12:00:00.000Z', GeoPoint: '48.2082, 16.3738' }

type LongTextProps = { label: string; error?: string; text: string; isCode: boolean; onChange: (text: string) => void }

function LongText({ label, error, text, isCode, onChange }: LongTextProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} {...(error && { error })}>
      <textarea
        id={id}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        rows={isCode ? 10 : 4}
        dir={isCode ? 'ltr' : 'auto'}
        spellCheck={!isCode}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { error })}
        className={isCode ? `${inputClass} font-mono text-sm` : inputClass}
      />
    </FieldFrame>
  )
}
