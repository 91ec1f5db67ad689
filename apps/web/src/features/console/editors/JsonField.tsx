import { useId } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { describedBy, FieldFrame, inputClass } from '../../../ui/forms/Field.tsx'
import { findJsonFault } from './findJsonFault.ts'
import type { TypeFieldProps } from './TypeFieldProps.ts'

/** JSON, checked while it is typed. */
export function JsonField({
  label,
  text,
  onChange,
  error,
  isList,
  rows = 10,
}: TypeFieldProps & { isList: boolean; rows?: number }) {
  const id = useId()
  const fault = text.trim() === '' ? undefined : findJsonFault(text)
  const problem = fault ? t('Not valid JSON: line {line}, column {column}', fault) : error
  return (
    <FieldFrame
      id={id}
      label={label}
      hint={isList ? t('A list in square brackets') : undefined}
      aside={
        <Button
          look="ghost"
          disabled={text.trim() === '' || fault !== undefined}
          onClick={() => onChange(JSON.stringify(JSON.parse(text), undefined, 2))}
        >
          {t('Format|action')}
        </Button>
      }
      {...(problem && { error: problem })}
    >
      <textarea
        id={id}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        rows={rows}
        dir="ltr"
        spellCheck={false}
        aria-invalid={problem ? true : undefined}
        aria-describedby={describedBy(id, { hint: isList, error: problem })}
        className={`${inputClass} font-mono text-sm`}
      />
    </FieldFrame>
  )
}
