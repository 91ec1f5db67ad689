import type { SettingRecord, WireValue } from '@countersign/protocol'
import { type FormEvent, useId, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { toasts } from '../../../ui/feedback/toasts.ts'
import { FieldFrame, inputClass, SelectField, TextField } from '../../../ui/forms/Field.tsx'
import { PasswordField } from '../../../ui/forms/PasswordField.tsx'
import { SwitchField } from '../../../ui/forms/SwitchField.tsx'
import { ask } from '../ask.ts'
import { useFormChange } from '../useChange.ts'
import type { FormField, SettingForm, Values } from './settingForms.ts'

type Edit = NonNullable<SettingRecord['edit']>
type Props = { form: SettingForm; edit: Edit; onClose: () => void; onDone: () => void }

/** One setting in a form of its own. It holds on all servers as soon as it is saved. */
export function SettingEditor({ form, edit, onClose, onDone }: Props) {
  const [present] = useState<unknown>(() => (edit.input === undefined ? undefined : JSON.parse(edit.input)))
  const [values, setValues] = useState<Values>(() => form.read(present))
  const [work, setWork] = useState<'save' | 'undo' | 'reset' | 'test'>()
  const [sentTo, setSentTo] = useState<string>()
  const { name } = form
  const { version } = edit
  // The list shows what the other person saved when this form is closed.
  const { problem, send, ...sending } = useFormChange(({ reason }) => reason === 'settingChanged' && onDone())
  const pending = sending.pending ? work : undefined
  const run = <Answer,>(next: NonNullable<typeof work>, request: () => Promise<Answer>) => {
    setWork(next)
    setSentTo(undefined)
    return send(request)
  }
  const change = async (next: 'save' | 'undo' | 'reset', request: () => Promise<SettingRecord>) => {
    if (!(await run(next, request))) return
    toasts.add(t('Saved'), 'ok')
    onDone()
    onClose()
  }
  const written = () => form.write(values, present) as WireValue
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!pending) void change('save', () => ask('setSetting', { name, version, value: written() }))
  }
  const test = async () => {
    const sent = await run('test', () => ask('sendTestMail', { smtp: written() }))
    if (sent) setSentTo(sent.to)
  }
  return (
    <Dialog open onOpenChange={onClose} title={form.title} description={t('Applies immediately on all servers.')}>
      <form noValidate aria-label={form.title} onSubmit={submit} className="flex flex-col gap-5">
        {form.fields.map((field) => (
          <SettingField
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            hasSecret={edit.hasSecret}
            onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        {problem && <Alert tone="danger" title={problem} />}
        {sentTo && <Alert tone="ok" title={t('Test email sent to {email}.', { email: sentTo })} />}
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:flex-wrap sm:justify-end">
          {edit.changedAt !== undefined && (
            <Button
              look="ghost"
              pending={pending === 'reset'}
              onClick={() => void change('reset', () => ask('resetSetting', { name, version }))}
            >
              {t('Use the default')}
            </Button>
          )}
          {edit.canUndo && (
            <Button
              look="ghost"
              pending={pending === 'undo'}
              onClick={() => void change('undo', () => ask('undoSetting', { name, version }))}
            >
              {t('Undo last change')}
            </Button>
          )}
          {name === 'smtp' && (
            <Button look="secondary" pending={pending === 'test'} onClick={() => void test()}>
              {t('Send test email')}
            </Button>
          )}
          <Button type="submit" pending={pending === 'save'}>
            {t('Save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type FieldProps = { field: FormField; value: string; hasSecret: boolean; onChange: (value: string) => void }

function SettingField({ field, value, hasSecret, onChange }: FieldProps) {
  const { label, kind = 'text', hint, options = [] } = field
  if (kind === 'switch')
    return <SwitchField label={label} checked={value === 'true'} onChange={(on) => onChange(String(on))} />
  if (kind === 'select') return <SelectField label={label} value={value} options={options} onChange={onChange} />
  if (kind === 'lines') return <LinesField label={label} hint={hint} value={value} onChange={onChange} />
  if (kind === 'password')
    return (
      <PasswordField
        label={label}
        value={value}
        autoComplete="new-password"
        placeholder={hasSecret ? t('Leave empty to keep it') : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  return (
    <TextField
      label={label}
      hint={hint}
      value={value}
      autoComplete="off"
      spellCheck={false}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

type LinesProps = { label: string; hint: string | undefined; value: string; onChange: (value: string) => void }

function LinesField({ label, hint, value, onChange }: LinesProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint}>
      <textarea
        id={id}
        value={value}
        rows={Math.min(12, Math.max(3, value.split('\n').length + 1))}
        dir="ltr"
        spellCheck={false}
        aria-describedby={hint && `${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
        className={`${inputClass} font-mono text-sm`}
      />
    </FieldFrame>
  )
}
