import { useId } from 'react'
import { t } from '../../../i18n/translate.ts'
import { describedBy, FieldFrame, inputClass, SelectField, TextField } from '../../../ui/forms/Field.tsx'
import { isJson } from '../dataBrowser/dataValues.ts'
import { AclField } from './AclField.tsx'
import { FileField } from './FileField.tsx'
import { GeoField } from './GeoField.tsx'
import { JsonField } from './JsonField.tsx'
import { PointerField } from './PointerField.tsx'
import type { TypeFieldProps, ValueFieldProps } from './TypeFieldProps.ts'

/** The editor of a type. Each of them works on the text of the value. */
export function ValueField({ field, text, onChange, error }: ValueFieldProps) {
  const { type, targetClass } = field
  const label = targetClass ? `${type} <${targetClass}>` : type
  const shared = { label, text, onChange, error }
  if (type === 'Boolean')
    return (
      <SelectField
        label={label}
        value={text}
        onChange={onChange}
        options={[
          ['', t('No value')],
          ['true', 'true'],
          ['false', 'false'],
        ]}
      />
    )
  if (type === 'String') return <LongText {...shared} />
  if (type === 'Pointer') return <PointerField {...shared} className={targetClass ?? ''} />
  if (type === 'GeoPoint') return <GeoField {...shared} />
  if (type === 'File') return <FileField {...shared} />
  if (type === 'ACL') return <AclField {...shared} />
  if (isJson(type)) return <JsonField {...shared} isList={type === 'Array'} />
  return (
    <TextField
      label={label}
      {...(error && { error })}
      value={text}
      onChange={(event) => onChange(event.target.value)}
      type={type === 'Date' ? 'datetime-local' : 'text'}
      step={type === 'Date' ? '0.001' : undefined}
      dir="ltr"
      inputMode={type === 'Number' ? 'decimal' : undefined}
      autoComplete="off"
      spellCheck={false}
    />
  )
}

function LongText({ label, text, onChange, error }: TypeFieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} {...(error && { error })}>
      <textarea
        id={id}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        rows={4}
        dir="auto"
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { error })}
        className={inputClass}
      />
    </FieldFrame>
  )
}
