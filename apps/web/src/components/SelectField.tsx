import { type ComponentProps, useId } from 'react'
import { inputClass } from '../lib/inputClass.ts'
import { FieldFrame } from './FieldFrame.tsx'

type Props = Omit<ComponentProps<'select'>, 'onChange' | 'className'> & {
  label: string
  hint?: string
  options: readonly (readonly [value: string, words: string])[]
  onChange: (value: string) => void
}

export function SelectField({ label, hint, options, onChange, ...rest }: Props) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint}>
      <select
        {...rest}
        id={id}
        aria-describedby={hint && `${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
        className={inputClass}
      >
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}
