import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { IconButton } from '../Button.tsx'
import { cx } from '../cx.ts'
import { describedBy, FieldFrame, inputClass } from './Field.tsx'

type Props = Omit<ComponentProps<'input'>, 'id' | 'type'> & {
  label: string
  aside?: ReactNode
  error?: string
  /** Given where a password is chosen: shows how good it is. */
  minLength?: number
}

/** Show and hide, a caps-lock hint and, where a password is chosen, its strength. */
export function PasswordField({ label, aside, error, minLength, className, onChange, ...rest }: Props) {
  const id = useId()
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const [value, setValue] = useState('')
  const readCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  const hint = (minLength || capsLock) && (
    <>
      {minLength && <PasswordStrength password={value} minLength={minLength} />}
      {capsLock && <p role="status">{t('Caps Lock is on.')}</p>}
    </>
  )
  return (
    <FieldFrame id={id} label={label} aside={aside} error={error} hint={hint}>
      <div className="relative">
        <input
          {...rest}
          id={id}
          type={shown ? 'text' : 'password'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, { hint, error })}
          onChange={(event) => {
            setValue(event.target.value)
            onChange?.(event)
          }}
          onKeyDown={readCapsLock}
          onKeyUp={readCapsLock}
          onBlur={() => setCapsLock(false)}
          className={cx(inputClass, 'pe-12', className)}
        />
        <IconButton
          label={shown ? t('Hide password') : t('Show password')}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-0 end-0"
        >
          {shown ? <EyeOff size={19} aria-hidden="true" /> : <Eye size={19} aria-hidden="true" />}
        </IconButton>
      </div>
    </FieldFrame>
  )
}

const colours = ['bg-edge/50', 'bg-danger', 'bg-warn', 'bg-accent', 'bg-ok']

/** Four bars and a few words about a password that is being chosen. */
function PasswordStrength({ password, minLength }: { password: string; minLength: number }) {
  const { level, words } = measurePassword(password, minLength)
  return (
    <span className="flex items-center gap-3">
      <span aria-hidden="true" className="flex w-24 shrink-0 gap-1">
        {[1, 2, 3, 4].map((bar) => (
          <span
            key={bar}
            className={cx('h-1 flex-1 rounded-full transition-colors', bar <= level ? colours[level] : 'bg-edge/50')}
          />
        ))}
      </span>
      <span aria-live="polite">{words}</span>
    </span>
  )
}

type PasswordMeasure = { level: 0 | 1 | 2 | 3 | 4; words: string }

/** A hint while typing, no gate: length counts most, sameness counts against. The server decides. */
function measurePassword(password: string, minLength: number): PasswordMeasure {
  if (!password) return { level: 0, words: t('At least {count} characters.', { count: minLength }) }
  const missing = minLength - [...password].length
  if (missing > 0)
    return {
      level: 1,
      words: t('{count, plural, one {# more character needed.} other {# more characters needed.}}', {
        count: missing,
      }),
    }
  const distinct = new Set(password.toLowerCase()).size
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(password)).length
  const score = Math.min(distinct, 16) + password.length / 2 + kinds * 2
  if (distinct < 5 || score < 15) return { level: 2, words: t('Too easy to guess. Try a few unrelated words.') }
  if (score < 23) return { level: 3, words: t('Good.') }
  return { level: 4, words: t('Strong.') }
}
