import type { WireFields } from '@countersign/protocol'
import { type FormEvent, useId, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { describedBy, FieldFrame, inputClass } from '../../ui/forms/Field.tsx'
import {
  isOpen,
  type JsonSchema,
  kindOf,
  listChoices,
  listFields,
  readField,
  readObject,
  type SchemaField,
  writeField,
  writeType,
} from './jsonSchema.ts'

type Props = {
  schema: JsonSchema
  submit: string
  pending: boolean
  danger?: boolean
  onSubmit: (value: WireFields) => void
}

/** The name of the box for what the schema does not name; no field can have it. */
const others = ''

const format = 'JSON'

/** A form with a field for each of a schema's, or the whole of it as JSON. */
export function SchemaForm({ schema, submit, pending, danger = false, onSubmit }: Props) {
  const fields = listFields(schema)
  const [texts, setTexts] = useState<{ readonly [name: string]: string }>({})
  const [json, setJson] = useState<string>()
  const [faults, setFaults] = useState<{ readonly [name: string]: string }>({})

  /** Reads the fields; `undefined` if one has an invalid value, which is then shown. */
  const read = (): WireFields | undefined => {
    const found: { [name: string]: string } = {}
    const value: WireFields = {}
    const attempt = (name: string, type: string, work: () => void) => {
      try {
        work()
      } catch {
        found[name] = t('Not a valid value of type {type}.', { type })
      }
    }
    if (json !== undefined) attempt(others, 'object', () => Object.assign(value, readObject(json)))
    else {
      attempt(others, 'object', () => Object.assign(value, readObject(texts[others] ?? '')))
      for (const { name, schema: field } of fields) {
        const text = texts[name] ?? ''
        if (text === '') continue
        attempt(name, writeType(field), () => {
          value[name] = readField(field, text)
        })
      }
    }
    setFaults(found)
    return Object.keys(found).length > 0 ? undefined : value
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    const value = pending ? undefined : read()
    if (value) onSubmit(value)
  }
  const change = () => {
    const value = read()
    if (!value) return
    if (json === undefined) return setJson(JSON.stringify(value, null, 2))
    const rest = { ...value }
    const next: { [name: string]: string } = {}
    for (const { name, schema: field } of fields) {
      const given = rest[name]
      if (given !== undefined) next[name] = writeField(field, given)
      delete rest[name]
    }
    if (Object.keys(rest).length > 0) next[others] = JSON.stringify(rest, null, 2)
    setTexts(next)
    setJson(undefined)
  }
  const set = (name: string) => (text: string) => setTexts({ ...texts, [name]: text })
  const fault = (name: string) => (faults[name] === undefined ? {} : { error: faults[name] })
  const isRaw = json !== undefined || fields.length === 0
  return (
    <form noValidate onSubmit={send} className="flex flex-col gap-4">
      {isRaw ? (
        <JsonField
          label={format}
          text={json ?? texts[others] ?? ''}
          onChange={json === undefined ? set(others) : setJson}
          {...fault(others)}
        />
      ) : (
        <>
          {fields.map((field) => (
            <Field
              key={field.name}
              field={field}
              text={texts[field.name] ?? ''}
              onChange={set(field.name)}
              {...fault(field.name)}
            />
          ))}
          {(isOpen(schema) || texts[others]) && (
            <JsonField
              label={t('Other fields as JSON')}
              text={texts[others] ?? ''}
              onChange={set(others)}
              {...fault(others)}
            />
          )}
        </>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look={danger ? 'danger' : 'primary'} pending={pending}>
          {submit}
        </Button>
        {fields.length > 0 && (
          <Button look="ghost" onClick={change}>
            {isRaw ? t('Edit as form') : t('Edit as JSON')}
          </Button>
        )}
      </div>
    </form>
  )
}

type FieldProps = { field: SchemaField; text: string; error?: string; onChange: (text: string) => void }

function Field({ field: { name, schema, isRequired }, text, error, onChange }: FieldProps) {
  const id = useId()
  const kind = kindOf(schema)
  const hint = [writeType(schema), schema.description].filter(Boolean).join(' · ')
  const shared = {
    id,
    value: text,
    'aria-invalid': error ? true : undefined,
    'aria-required': isRequired || undefined,
    'aria-describedby': describedBy(id, { hint, error }),
  }
  return (
    <FieldFrame
      id={id}
      label={<code>{name}</code>}
      aside={isRequired && <Badge>{t('Required')}</Badge>}
      hint={
        <span dir="ltr" className="wrap-anywhere">
          {hint}
        </span>
      }
      {...(error && { error })}
    >
      {kind === 'choice' ? (
        <select {...shared} onChange={(event) => onChange(event.target.value)} className={inputClass}>
          <option value="">{t('Not set')}</option>
          {listChoices(schema).map((choice) => (
            <option key={JSON.stringify(choice)} value={JSON.stringify(choice)}>
              {String(choice)}
            </option>
          ))}
        </select>
      ) : kind === 'json' ? (
        <textarea
          {...shared}
          rows={3}
          dir="ltr"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
          className={`${inputClass} font-mono text-sm`}
        />
      ) : (
        <input
          {...shared}
          dir={kind === 'number' ? 'ltr' : 'auto'}
          inputMode={kind === 'number' ? 'decimal' : 'text'}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
          className={inputClass}
        />
      )}
    </FieldFrame>
  )
}

type JsonFieldProps = { label: string; text: string; error?: string; rows?: number; onChange: (text: string) => void }

export function JsonField({ label, text, error, rows = 6, onChange }: JsonFieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} {...(error && { error })}>
      <textarea
        id={id}
        value={text}
        rows={rows}
        dir="ltr"
        placeholder="{}"
        spellCheck={false}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { error })}
        onChange={(event) => onChange(event.target.value)}
        className={`${inputClass} font-mono text-sm`}
      />
    </FieldFrame>
  )
}
