import type { WireValue } from '@countersign/protocol'
import { type FormEvent, useState } from 'react'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { SelectField } from '../../../ui/forms/Field.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { ValueField } from '../editors/ValueField.tsx'
import { type Fields, managed, readValue } from './dataValues.ts'

type Props = {
  fields: Fields
  count: number
  /** How far a change is that runs. */
  progress: number | undefined
  onClose: () => void
  onSave: (name: string, value: WireValue) => void
}

/** One field of many rows, set to one value. Says how many before it begins. */
export function DataBulk({ fields, count, progress, onClose, onSave }: Props) {
  const names = Object.keys(fields).filter(
    (name) => !managed.has(name) && name !== 'password' && fields[name]?.type !== 'Relation',
  )
  const [name, setName] = useState(names[0] ?? '')
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const field = fields[name]
  const change = (next: string) => {
    setText(next)
    setError(undefined)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!field || progress !== undefined) return
    const value = readValue(field.type, text, field.targetClass)
    if (value === undefined) return setError(t('Not a valid value of type {type}.', { type: field.type }))
    onSave(name, value)
  }
  return (
    <Dialog
      open
      onOpenChange={() => progress === undefined && onClose()}
      title={t('Edit rows ({count})', { count: formatNumber(count) })}
      description={t('Sets one field in all these rows. Leave the value empty to clear it.')}
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <SelectField
          label={t('Field')}
          value={name}
          onChange={(next) => {
            setName(next)
            change('')
          }}
          options={names.map((each) => [each, each] as const)}
        />
        {field && <ValueField key={name} field={field} text={text} onChange={change} error={error} />}
        {progress !== undefined && <Progress label={t('Progress')} value={progress} max={count} className="w-full" />}
        <Button type="submit" pending={progress !== undefined} className="sm:self-end">
          {t('{count, plural, one {Update # row} other {Update # rows}}', { count })}
        </Button>
      </form>
    </Dialog>
  )
}
