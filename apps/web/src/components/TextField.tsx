import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from '../lib/cx.ts'
import { describedBy } from '../lib/describedBy.ts'
import { inputClass } from '../lib/inputClass.ts'
import { FieldFrame } from './FieldFrame.tsx'

type Props = Omit<ComponentProps<'input'>, 'id'> & {
  label: ReactNode
  aside?: ReactNode
  hint?: ReactNode
  error?: string
}

export function TextField({ label, aside, hint, error, className, type = 'text', dir = 'auto', ...rest }: Props) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} aside={aside} hint={hint} error={error}>
      <input
        {...rest}
        id={id}
        type={type}
        dir={dir}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { hint, error })}
        className={cx(inputClass, className)}
      />
    </FieldFrame>
  )
}
