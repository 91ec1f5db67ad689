import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { t } from '../../i18n/translate.ts'
import { cx } from '../cx.ts'

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

/** A name that the browser may fill in, and that no keyboard should correct. */
export function UsernameField(props: Omit<Props, 'label'>) {
  return (
    <TextField
      label={t('Username')}
      name="username"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
      {...props}
    />
  )
}

/** A code from a mail, an authenticator app or a list of recovery codes. */
export function CodeField(props: Partial<Props>) {
  return (
    <TextField
      label={t('Code')}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      required
      className="font-mono"
      {...props}
    />
  )
}

type SelectFieldProps = Omit<ComponentProps<'select'>, 'onChange' | 'className'> & {
  label: string
  hint?: string
  options: readonly (readonly [value: string, words: string])[]
  onChange: (value: string) => void
}

export function SelectField({ label, hint, options, onChange, ...rest }: SelectFieldProps) {
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

type FieldFrameProps = {
  id: string
  label: ReactNode
  aside?: ReactNode
  hint?: ReactNode
  error?: string
  children: ReactNode
}

/** Label above, hint and error below; the error's id is what the input names in `aria-describedby`. */
export function FieldFrame({ id, label, aside, hint, error, children }: FieldFrameProps) {
  return (
    <div>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-semibold">
          {label}
        </label>
        {aside}
      </div>
      {children}
      {hint && (
        <div id={`${id}-hint`} className="mt-1.5 text-xs text-muted">
          {hint}
        </div>
      )}
      {error && (
        <p id={`${id}-error`} className="mt-1.5 flex items-start gap-1.5 text-xs font-medium text-danger">
          <CircleAlert size={15} aria-hidden="true" className="mt-0.5 shrink-0" />
          {error}
        </p>
      )}
    </div>
  )
}

/** The look of every box that is typed into. */
export const inputClass =
  'block w-full min-h-11 rounded-control border border-edge bg-surface px-3.5 py-2 text-base text-ink transition-colors ' +
  '[&:is(select)]:pe-10 ' +
  'hover:border-muted focus-visible:border-accent focus-visible:outline-2 focus-visible:outline-offset-0 ' +
  'aria-invalid:border-danger disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted'

/** The ids that an input names in `aria-describedby`, matching what its frame draws. */
export function describedBy(id: string, has: { hint?: unknown; error?: unknown }): string | undefined {
  const ids = [has.error ? `${id}-error` : '', has.hint ? `${id}-hint` : ''].filter(Boolean)
  return ids.length > 0 ? ids.join(' ') : undefined
}
